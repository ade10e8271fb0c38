import { describe, expect, it } from 'vitest';
import { filterOf, isBackwards, isNarrowed, withFilter } from '../../../src/views/gallery/gallery-place.ts';

const read = (text: string) => filterOf(new URLSearchParams(text));

describe('the filter of the gallery in an address', () => {
  it('is read as it was written', () => {
    const filter = {
      modalities: ['IO', 'PX'],
      from: '2025-01-01',
      to: '2025-12-31',
      teeth: [11, 55],
      source: 'dicom' as const,
    };
    const written = withFilter(new URLSearchParams('sort=size&q=berg'), filter);
    expect(filterOf(written)).toEqual(filter);
    expect(written.get('sort')).toBe('size');
    expect(written.get('q')).toBe('berg');
  });

  it('narrows nothing by what makes no sense in it', () => {
    const filter = read('modality=,&from=2025-02-30&to=yesterday&teeth=99,x,11,11&source=fax');
    expect(filter).toEqual({ modalities: [], from: null, to: null, teeth: [11], source: null });
    expect(isNarrowed(read('from=2025-02-30'))).toBe(false);
    expect(isNarrowed(read('teeth=11'))).toBe(true);
  });

  it('leaves the address clean of what is not asked for', () => {
    const none = { modalities: [], from: null, to: null, teeth: [], source: null };
    expect(withFilter(new URLSearchParams('modality=IO&from=2025-01-01&teeth=11&source=dicom'), none).toString()).toBe(
      '',
    );
  });

  it('knows a period that ends before it begins', () => {
    expect(isBackwards({ from: '2025-02-02', to: '2025-02-01' })).toBe(true);
    expect(isBackwards({ from: '2025-02-02', to: '2025-02-02' })).toBe(false);
    expect(isBackwards({ from: '2025-02-02', to: null })).toBe(false);
  });
});
