import { describe, expect, it } from 'vitest';
import { allTeeth } from '../../../contract/teeth.ts';
import {
  canMatch,
  type DatedImage,
  datedImagesOf,
  priorsOf,
} from '../../../src/views/workspace/patient/priors.rules.ts';
import { seeded } from '../../server/seeded.ts';
import { idOf } from '../records.ts';
import { type Exposure, studyWith, uidOf } from './priors-fixture.ts';

const images = (exposures: readonly Exposure[]) => datedImagesOf(exposures.map((exposure) => studyWith(exposure)));
const search = (exposures: readonly Exposure[], number = 0) => {
  const found = priorsOf(uidOf(number), images(exposures));
  if (!found) throw new Error('the image is not in the list');
  return found;
};
/** Numbers of the earlier images in order, each with the reason. */
const found = (exposures: readonly Exposure[]) =>
  search(exposures).priors.map(({ image, match }) => [image.image.number, match.by]);

const molars = [17, 16, 47, 46];
const premolars = [15, 14, 45, 44];

describe('the earlier image', () => {
  it('is in the same slot of the same template, the latest first', () => {
    const slot = { template: 1, slot: 2, description: 'Molar right' };
    const exposures = [
      { number: 0, on: '2026-03-02', teeth: molars, mounted: slot },
      { number: 1, on: '2023-01-10', teeth: molars, mounted: slot },
      { number: 2, on: '2025-02-01', teeth: molars, mounted: slot },
      { number: 3, on: '2025-02-01', teeth: premolars, mounted: { ...slot, slot: 3 } },
    ];
    expect(found(exposures)).toEqual([
      [2, 'slot'],
      [1, 'slot'],
    ]);
    expect(search(exposures).priors[0]?.match).toEqual({ by: 'slot', description: 'Molar right', teeth: molars });
  });

  it('is the latest one of all these teeth, mounted or not', () => {
    const slot = { template: 1, slot: 2 };
    expect(
      found([
        { number: 0, on: '2026-03-02', teeth: molars, mounted: slot },
        { number: 1, on: '2023-01-10', teeth: molars, mounted: slot },
        { number: 2, on: '2025-02-01', teeth: molars },
      ]),
    ).toEqual([
      [2, 'teeth'],
      [1, 'slot'],
    ]);
  });

  it('of one day is the one in the same slot, else the one that shows the fewest other teeth', () => {
    const slot = { template: 1, slot: 2 };
    const current = { number: 0, on: '2026-03-02', teeth: molars, mounted: slot };
    const loose = { number: 1, on: '2025-02-01', teeth: molars };
    const wide = { number: 2, on: '2025-02-01', teeth: [...molars, 18] };
    const same = { number: 3, on: '2025-02-01', teeth: molars, mounted: slot };
    expect(found([current, loose, same, wide])).toEqual([[3, 'slot']]);
    expect(found([current, wide, loose])).toEqual([[1, 'teeth']]);
  });

  it('of one day is the retake and not the image that it replaces, which is still offered alone', () => {
    const slot = { template: 1, slot: 2 };
    const current = { number: 0, on: '2026-03-02', teeth: molars, mounted: slot };
    const changes = { grade: { version: 1, grade: 'N', reason: 'movement' } } as const;
    const rejected = { number: 1, on: '2025-02-01T10:05:00', teeth: molars, mounted: slot, changes };
    const retake = { number: 2, on: '2025-02-01T10:00:00', teeth: molars };
    expect(found([current, rejected, retake])).toEqual([[2, 'teeth']]);
    expect(found([current, rejected])).toEqual([[1, 'slot']]);
  });

  it('is first the one with the most of the same teeth, and no day with some of them is passed over', () => {
    const exposures = [
      { number: 0, on: '2026-03-02', teeth: [16, 15, 46, 45] },
      { number: 1, on: '2025-02-01', teeth: [17, 16, 47] },
      { number: 2, on: '2024-02-01', teeth: [16, 46, 15] },
      { number: 3, on: '2023-02-01', teeth: [16, 47] },
      { number: 4, on: '2022-02-01', teeth: molars },
    ];
    const { priors, best } = search(exposures);
    expect(best?.image.image.number).toBe(2);
    expect(priors.map(({ match }) => match)).toEqual([
      { by: 'teeth', teeth: [16] },
      { by: 'teeth', teeth: [16, 15, 46] },
      { by: 'teeth', teeth: [16] },
      { by: 'teeth', teeth: [16, 46] },
    ]);
  });

  it('is of the same kind: a bitewing is no periapical image, and a panoramic image neither', () => {
    expect(
      found([
        { number: 0, on: '2026-03-02', teeth: molars },
        { number: 1, on: '2025-02-01', teeth: [17, 16] },
        { number: 2, on: '2025-02-01', teeth: allTeeth.slice(0, 32), changes: { seriesModalityValue: 'PX' } },
        { number: 3, on: '2024-02-01', teeth: molars, changes: { seriesModalityValue: 'CR' } },
      ]),
    ).toEqual([[3, 'teeth']]);
  });

  it('of a panoramic image without teeth is a panoramic image', () => {
    const panoramic = { changes: { seriesModalityValue: 'PX' } } as const;
    const half = { changes: { seriesModalityValue: 'PX', laterality: 'R' } } as const;
    expect(
      found([
        { number: 0, on: '2026-03-02', ...panoramic },
        { number: 1, on: '2025-02-01', ...half },
        { number: 2, on: '2024-02-01', ...panoramic },
        { number: 3, on: '2023-02-01', teeth: [18, 28, 38, 48], ...panoramic },
      ]),
    ).toEqual([
      [2, 'region'],
      [3, 'region'],
    ]);
  });

  it('is never of other teeth, even in the same slot, nor of a slot that says nothing', () => {
    const any = { template: 1, slot: 0, teeth: [], description: null };
    expect(
      found([
        { number: 0, on: '2026-03-02', teeth: [16], mounted: any },
        { number: 1, on: '2025-02-01', teeth: [26], mounted: any },
      ]),
    ).toEqual([]);
    const unknown = { number: 0, on: '2026-03-02', mounted: any };
    expect(found([unknown, { number: 1, on: '2025-02-01', mounted: any }])).toEqual([]);
    expect(canMatch(search([unknown]).current)).toBe(false);
    const profile = { ...any, description: 'Profile' };
    const photo = { changes: { seriesModalityValue: 'XC' } };
    const photos = [
      { number: 0, on: '2026-03-02', mounted: profile, ...photo },
      { number: 1, on: '2025-02-01', mounted: profile, ...photo },
      { number: 2, on: '2024-02-01', ...photo },
    ];
    expect(found(photos)).toEqual([[1, 'slot']]);
    expect(canMatch(search(photos).current)).toBe(true);
  });

  it('is not in the same slot of another template, nor of a drawn mount', () => {
    const profile = { slot: 0, teeth: [], description: 'Profile' };
    const photo = { changes: { seriesModalityValue: 'XC' } };
    const pair = (one: number | null, other: number | null) =>
      found([
        { number: 0, on: '2026-03-02', mounted: { ...profile, template: one }, ...photo },
        { number: 1, on: '2025-02-01', mounted: { ...profile, template: other }, ...photo },
      ]);
    expect(pair(1, 1)).toEqual([[1, 'slot']]);
    expect(pair(1, 2)).toEqual([]);
    expect(pair(null, null)).toEqual([]);
  });

  it('uses the teeth that a user set on the image, else those of its slot', () => {
    const slot = { template: 1, slot: 2, teeth: molars };
    const current = { number: 0, on: '2026-03-02', teeth: molars };
    expect(found([current, { number: 1, on: '2025-02-01', teeth: premolars, mounted: slot }])).toEqual([[1, 'teeth']]);
    const corrected = { teeth: premolars, changes: { teethSource: 'user' } } as const;
    expect(found([current, { number: 1, on: '2025-02-01', mounted: slot, ...corrected }])).toEqual([]);
  });

  it('has the slots and teeth of all mounts in which an image is', () => {
    const slot = { template: 1, slot: 2, description: 'Molar right' };
    const before = { number: 1, on: '2025-02-01', teeth: molars };
    const studies = [
      studyWith({ number: 0, on: '2026-03-02', teeth: molars, mounted: slot }),
      studyWith({ ...before, mounted: slot }),
      // A second mount of the earlier image, in another study.
      { ...studyWith({ ...before, mounted: { template: 2, slot: 0, teeth: [18] } }), id: idOf(9), series: [] },
    ];
    const [prior] = priorsOf(uidOf(0), datedImagesOf(studies))?.priors ?? [];
    expect(prior?.match.by).toBe('slot');
    expect(prior?.image.teeth).toEqual([...molars, 18]);
  });

  it('is not a slice, a document or the image itself', () => {
    const ct = { changes: { seriesModalityValue: 'CT' } } as const;
    expect(
      found([
        { number: 0, on: '2026-03-02', teeth: [36], ...ct },
        { number: 1, on: '2025-02-01', teeth: [36], ...ct },
      ]),
    ).toEqual([]);
    expect(
      found([
        { number: 0, on: '2026-03-02', teeth: [36] },
        { number: 1, on: '2025-02-01', teeth: [36], changes: { kind: 'document' } },
      ]),
    ).toEqual([]);
  });
});

describe('what is not offered', () => {
  it('is counted: without a date, of the same day, and earlier without teeth', () => {
    const result = search([
      { number: 0, on: '2026-03-02T10:00:00', teeth: molars },
      { number: 1, on: '2026-03-02T09:00:00', teeth: molars },
      { number: 2, on: null, teeth: molars },
      { number: 3, on: 'unknown', teeth: molars },
      { number: 4, on: null, teeth: premolars },
      { number: 5, on: '2020-01-01' },
      { number: 6, on: '2027-01-01' },
      { number: 7, on: '2027-01-01', teeth: molars },
    ]);
    expect(result).toMatchObject({ priors: [], undated: 2, sameDay: 1, withoutTeeth: 1 });
  });

  it('is a picture file without a time of its own: its date is that of its study', () => {
    const photograph = { seriesModalityValue: 'XC', source: 'picture' } as const;
    const current = { number: 0, on: '2026-03-02T10:00:00', teeth: molars, changes: photograph };
    const result = search([
      current,
      { number: 1, on: '2025-02-01', teeth: molars, changes: photograph },
      { number: 2, on: '2024-02-01T09:00:00', teeth: molars, changes: photograph },
    ]);
    expect(result.priors.map(({ image }) => image.image.number)).toEqual([2]);
    expect(result.undated).toBe(1);
    expect(search([{ ...current, on: '2026-03-02' }]).current.day).toBeNull();
  });

  it('is everything when the image itself has no date', () => {
    const result = search([
      { number: 0, on: null, teeth: molars },
      { number: 1, on: '2025-02-01', teeth: molars },
    ]);
    expect(result).toMatchObject({ priors: [], sameDay: 0, withoutTeeth: 0 });
    expect(result.current.day).toBeNull();
    expect(canMatch(result.current)).toBe(true);
  });

  it('is null for an image that is not in the list', () => {
    expect(priorsOf(uidOf(9), images([{ number: 0, on: '2026-03-02', teeth: molars }]))).toBeNull();
  });
});

describe('for random patients', () => {
  const { below, pick } = seeded(20261126);
  const some = <T>(values: readonly T[], most: number): T[] => [
    ...new Set(Array.from({ length: below(most + 1) }, () => pick(values) as T)),
  ];
  const randomExposure = (number: number): Exposure => {
    // Few teeth, so that many are shared.
    const teeth = some([17, 16, 15, 47, 46, 26, 27, 36, 37], 4);
    const slot = { template: pick([1, 2, null]) ?? null, slot: below(3) };
    return {
      number,
      on:
        below(8) === 0
          ? null
          : `20${20 + below(6)}-0${1 + below(2)}-1${below(3)}${pick(['', 'T08:00:00', 'T15:00:00'])}`,
      teeth,
      ...(below(2) === 0 && { mounted: { ...slot, description: pick([null, 'right']) ?? null } }),
      changes: {
        seriesModalityValue: pick(['IO', 'IO', 'IO', 'CR', 'PX', 'CT']) ?? 'IO',
        laterality: pick([null, null, 'L', 'R', 'B']) ?? null,
        teethSource: pick(['file', 'user']) ?? 'file',
      },
    };
  };
  const cases = Array.from({ length: 400 }, (_, number) => ({
    number,
    images: datedImagesOf(
      Array.from({ length: 2 + below(24) }, (_, at) => studyWith(randomExposure(at), idOf(1 + below(2)))),
    ),
  }));

  /** The same patient seen in a mirror: right is left. */
  const mirroredTooth = (iso: number) => [0, 20, 10, 40, 30, 60, 50, 80, 70][Math.floor(iso / 10)]! + (iso % 10);
  const mirrored = (image: DatedImage): DatedImage => {
    const { laterality } = image.image;
    const teeth = image.teeth.map(mirroredTooth);
    const side = laterality === 'L' ? 'R' : laterality === 'R' ? 'L' : laterality;
    return { ...image, teeth, image: { ...image.image, laterality: side } };
  };
  const stepsOf = (all: readonly DatedImage[], uid: string) =>
    priorsOf(uid, all)?.priors.map(({ image, match }) => [image.image.uid, match.by]);

  it('finds something for many of them, by every rule', () => {
    const reasons = cases.flatMap((one) =>
      one.images.flatMap(({ image }) => priorsOf(image.uid, one.images)?.priors.map(({ match }) => match.by) ?? []),
    );
    for (const reason of ['slot', 'teeth', 'region']) expect(reasons).toContain(reason);
    expect(reasons.length).toBeGreaterThan(500);
  });

  it('is never of another patient or kind or of other teeth, and each is older than the one before', () => {
    for (const { images: all } of cases)
      for (const { image } of all) {
        const result = priorsOf(image.uid, all);
        let { day: before } = result!.current;
        for (const { image: prior } of result!.priors) {
          expect(prior.patientId).toBe(result!.current.patientId);
          expect(prior.kind).toBe(result!.current.kind);
          const bothKnown = prior.teeth.length > 0 && result!.current.teeth.length > 0;
          expect(!bothKnown || prior.teeth.some((tooth) => result!.current.teeth.includes(tooth))).toBe(true);
          expect(prior.day! < before!).toBe(true);
          before = prior.day;
        }
      }
  });

  it('is offered for every earlier day on which an image shows some of these teeth', () => {
    for (const { images: all } of cases)
      for (const { image } of all) {
        const { current, priors } = priorsOf(image.uid, all)!;
        const days = all.flatMap((one) =>
          one.patientId === current.patientId &&
          one.kind === current.kind &&
          one.kind !== 'slice' &&
          one.day !== null &&
          current.day !== null &&
          one.day < current.day &&
          one.teeth.some((tooth) => current.teeth.includes(tooth))
            ? [one.day]
            : [],
        );
        expect(priors.map((prior) => prior.image.day)).toEqual(expect.arrayContaining(days));
      }
  });

  it('does not depend on the order of the images', () => {
    for (const { images: all } of cases)
      for (const { image } of all) expect(stepsOf(all.toReversed(), image.uid)).toEqual(stepsOf(all, image.uid));
  });

  it('is the same on the left as on the right', () => {
    for (const { images: all } of cases)
      for (const { image } of all) expect(stepsOf(all.map(mirrored), image.uid)).toEqual(stepsOf(all, image.uid));
  });
});
