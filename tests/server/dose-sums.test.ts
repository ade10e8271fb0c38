import { describe, expect, it } from 'vitest';
import { type DoseImage, doseByYear, doseMedians, exposuresOf } from '../../server/domain/dose.ts';

let made = 0;
const image = (changes: Partial<DoseImage> = {}): DoseImage => {
  made += 1;
  return {
    id: `image-${made}`,
    series_id: 'series-1',
    modality: 'IO',
    source: 'dicom',
    teeth: [16, 46],
    shown_at: '2026-03-02T10:00:00',
    irradiation_event: null,
    area_dose: null,
    ...changes,
  };
};
const years = (...images: DoseImage[]) => doseByYear(exposuresOf(images));

describe('the dose of a patient by year', () => {
  it('counts one irradiation event once, however many images it gave', () => {
    const event = { irradiation_event: '2.25.1', area_dose: 5 };
    expect(years(image(event), image(event), image({ irradiation_event: '2.25.2', area_dose: 7 }))).toEqual([
      {
        year: 2026,
        exposures: 2,
        stated: 2,
        areaDoseMgyCm2: 12,
        kinds: [{ kind: 'bitewing', exposures: 2, stated: 2, areaDoseMgyCm2: 12 }],
      },
    ]);
  });

  it('takes the stated dose of an event whose other images state none, in any order', () => {
    const [silent, stated] = [
      image({ irradiation_event: '2.25.1' }),
      image({ irradiation_event: '2.25.1', area_dose: 5 }),
    ];
    for (const images of [
      [silent, stated],
      [stated, silent],
    ])
      expect(years(...images)[0]).toMatchObject({ exposures: 1, stated: 1, areaDoseMgyCm2: 5 });
  });

  it('takes the largest dose of an event whose images differ, and never their sum', () => {
    const doses = [4, 6, 5].map((area_dose) => image({ irradiation_event: '2.25.1', area_dose }));
    expect(years(...doses)[0]).toMatchObject({ exposures: 1, areaDoseMgyCm2: 6 });
  });

  it('counts images without a stated dose beside the sum', () => {
    expect(years(image({ area_dose: 5 }), image({ area_dose: 5 }), image())[0]).toMatchObject({
      exposures: 3,
      stated: 2,
      areaDoseMgyCm2: 10,
    });
    expect(years(image())[0]).toMatchObject({ exposures: 1, stated: 0, areaDoseMgyCm2: null });
  });

  it('adds decimals without binary digits', () => {
    expect(years(image({ area_dose: 0.1 }), image({ area_dose: 0.2 }))[0]?.areaDoseMgyCm2).toBe(0.3);
  });

  it('counts the slices of a series without an event as one exposure, other images each', () => {
    const slice = (series_id: string) => image({ modality: 'CT', teeth: [], series_id, area_dose: 300 });
    const [year] = years(
      slice('a'),
      slice('a'),
      slice('a'),
      slice('b'),
      image({ area_dose: 5 }),
      image({ area_dose: 5 }),
    );
    expect(year?.kinds).toEqual([
      { kind: 'bitewing', exposures: 2, stated: 2, areaDoseMgyCm2: 10 },
      { kind: 'slice', exposures: 2, stated: 2, areaDoseMgyCm2: 600 },
    ]);
  });

  it('leaves out photographs and what is made without X-rays, but no stated dose', () => {
    expect(years(image({ modality: 'XC' }), image({ modality: 'MR' }), image({ modality: 'US' }))).toEqual([]);
    expect(years(image({ modality: 'OT', area_dose: 3 }))[0]).toMatchObject({ exposures: 1, areaDoseMgyCm2: 3 });
  });

  it('has the newest year first and exposures without a date last', () => {
    const undated = image({ shown_at: '' });
    // A picture file without a time was given the date of its import.
    const picture = image({ source: 'picture', shown_at: '2026-03-02' });
    const all = years(undated, picture, image({ shown_at: '2024-01-01' }), image({ shown_at: '2025-12-31T23:59:59' }));
    expect(all.map(({ year, exposures }) => [year, exposures])).toEqual([
      [2025, 1],
      [2024, 1],
      [null, 2],
    ]);
  });
});

describe('the median of a clinic', () => {
  const bitewings = (...doses: (number | null)[]) => exposuresOf(doses.map((area_dose) => image({ area_dose })));

  it('is that of the stated doses of one kind', () => {
    const others = exposuresOf([image({ modality: 'PX', teeth: [], area_dose: 90 })]);
    const all = [...bitewings(9, 1, null, 2), ...others];
    expect(doseMedians(all, new Set(['bitewing']))).toEqual([{ kind: 'bitewing', exposures: 3, areaDoseMgyCm2: 2 }]);
    expect(doseMedians(all, new Set(['panoramic', 'slice']))).toEqual([
      { kind: 'panoramic', exposures: 1, areaDoseMgyCm2: 90 },
    ]);
  });

  it('lies between the middle two of an even number', () => {
    expect(doseMedians(bitewings(10, 1, 0.3, 0.4), new Set(['bitewing']))[0]?.areaDoseMgyCm2).toBe(0.7);
  });
});
