import { describe, expect, it } from 'vitest';
import { readUrl, writeUrl } from '../../../src/views/app/url-state.ts';
import { gallerySchema, isBackwards, isNarrowed } from '../../../src/views/gallery/gallery-url.ts';

const read = (text: string) => readUrl(gallerySchema, new URLSearchParams(text));

describe('the gallery filter in the URL', () => {
  it('is parsed as it was written', () => {
    const filter = {
      modality: ['IO', 'PX'],
      from: '2025-01-01',
      to: '2025-12-31',
      teeth: [11, 55],
      source: 'dicom' as const,
      rejected: 'shown' as const,
    };
    const written = writeUrl(gallerySchema, new URLSearchParams('sort=size&q=berg'), filter);
    expect(readUrl(gallerySchema, written)).toEqual(filter);
    expect(written.get('sort')).toBe('size');
    expect(written.get('q')).toBe('berg');
  });

  it('ignores invalid values', () => {
    const filter = read('modality=,&from=2025-02-30&to=yesterday&teeth=99,x,11,11&source=fax&rejected=yes');
    expect(filter).toEqual({ modality: [], from: null, to: null, teeth: [11], source: null, rejected: null });
    expect(isNarrowed(read('from=2025-02-30'))).toBe(false);
    expect(isNarrowed(read('teeth=11'))).toBe(true);
  });

  it('omits default values', () => {
    const none = { modality: [], from: null, to: null, teeth: [], source: null, rejected: null };
    expect(
      writeUrl(
        gallerySchema,
        new URLSearchParams('modality=IO&from=2025-01-01&teeth=11&source=dicom&rejected=shown'),
        none,
      ).toString(),
    ).toBe('');
  });

  it('detects a period that ends before it begins', () => {
    expect(isBackwards({ from: '2025-02-02', to: '2025-02-01' })).toBe(true);
    expect(isBackwards({ from: '2025-02-02', to: '2025-02-02' })).toBe(false);
    expect(isBackwards({ from: '2025-02-02', to: null })).toBe(false);
  });
});
