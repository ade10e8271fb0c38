import { describe, expect, it } from 'vitest';
import { priorMountsOf } from '../../../src/views/workspace/patient/prior-mounts.rules.ts';
import { idOf } from '../records.ts';
import { type MountOf, mountIdOf, mountWith } from './prior-mounts-fixture.ts';
import { uidOf } from './priors-fixture.ts';

const [molars, premolars, left] = [
  [17, 16, 47, 46],
  [15, 14, 45, 44],
  [26, 27, 36, 37],
];

const current: MountOf = {
  number: 0,
  on: '2026-03-02',
  template: 1,
  images: [
    { number: 1, teeth: molars },
    { number: 2, teeth: premolars },
  ],
};
const search = (...mounts: readonly MountOf[]) => {
  const found = priorMountsOf(
    mountIdOf(0),
    [current, ...mounts].map((mount) => mountWith(mount).study),
  );
  if (!found) throw new Error('the mount is not in the list');
  return found;
};
const pairs = (mount: MountOf) =>
  search(mount).priors[0]?.pairs.map(({ priorUid, currentUid }) => [currentUid, priorUid]) ?? [];
const earlier = (changes: Partial<MountOf>): MountOf => ({ ...current, number: 5, on: '2024-01-10', ...changes });

describe('the earlier mount', () => {
  it('of the same template pairs the images of the same slots', () => {
    const mount = earlier({
      images: [
        { number: 11, teeth: molars },
        { number: 12, teeth: premolars },
      ],
    });
    expect(search(mount)).toMatchObject({ day: '2026-03-02', best: { match: 'template', day: '2024-01-10' } });
    expect(pairs(mount)).toEqual([
      [uidOf(1), uidOf(11)],
      [uidOf(2), uidOf(12)],
    ]);
  });

  it('of another template pairs the images that share most teeth', () => {
    const mount = earlier({
      template: 2,
      images: [
        { number: 11, teeth: [15, 14] },
        { number: 12, teeth: [16, 15, 45, 44] },
        { number: 13, teeth: molars },
      ],
    });
    expect(search(mount).best?.match).toBe('teeth');
    expect(pairs(mount)).toEqual([
      [uidOf(1), uidOf(13)],
      [uidOf(2), uidOf(12)],
    ]);
  });

  it('never pairs images of different teeth, also in the same slot', () => {
    expect(search(earlier({ images: [{ number: 11, teeth: left }] })).priors).toEqual([]);
  });

  it('never pairs an image with itself or with a later one', () => {
    const mount = earlier({
      images: [
        { number: 1, on: '2020-01-01', teeth: molars },
        { number: 12, on: '2026-09-01', teeth: premolars },
        { number: 13, on: '2024-01-10', teeth: [15, 45] },
      ],
    });
    // Its latest image is later than the current mount.
    expect(search(mount).priors).toEqual([]);
    expect(pairs({ ...mount, images: [mount.images[0] ?? null, null, mount.images[2] ?? null] })).toEqual([
      [uidOf(2), uidOf(13)],
    ]);
  });

  it('is of an earlier day, with a known date', () => {
    const images = [{ number: 11, teeth: molars }];
    for (const on of ['2026-03-02', '2026-03-03', null]) expect(search(earlier({ on, images })).priors).toEqual([]);
  });

  it('is never of another patient', () => {
    const mine = mountWith(current).study;
    const theirs = mountWith(earlier({ images: [{ number: 11, teeth: molars }] }), idOf(99)).study;
    expect(priorMountsOf(mountIdOf(0), [mine, theirs])?.priors).toEqual([]);
  });

  it('is first the latest of the same template, then in order of days', () => {
    const images = [
      { number: 11, teeth: molars },
      { number: 12, teeth: premolars },
    ];
    const found = search(
      earlier({ number: 5, on: '2025-05-01', template: 2, images }),
      earlier({ number: 6, on: '2022-01-01', images: images.map((one) => ({ ...one, number: one.number + 10 })) }),
      earlier({ number: 7, on: '2023-01-01', images: [{ number: 31, teeth: molars }] }),
    );
    expect(found.priors.map(({ viewsetId }) => viewsetId)).toEqual([5, 7, 6].map(mountIdOf));
    expect(found.best?.viewsetId).toBe(mountIdOf(7));
  });

  it('without one of the template is the one with most pairs', () => {
    const one = earlier({ number: 5, on: '2025-05-01', template: 2, images: [{ number: 11, teeth: molars }] });
    const two = earlier({
      number: 6,
      on: '2020-05-01',
      template: null,
      images: [
        { number: 21, teeth: molars },
        { number: 22, teeth: premolars },
      ],
    });
    expect(search(one, two).best?.viewsetId).toBe(mountIdOf(6));
  });

  it('does not exist for a mount without dates or outside the list', () => {
    const undated = mountWith({ ...current, on: null }).study;
    const mount = mountWith(earlier({ images: [{ number: 11, teeth: molars }] })).study;
    expect(priorMountsOf(mountIdOf(0), [undated, mount])).toEqual({ day: null, priors: [], best: null });
    expect(priorMountsOf(mountIdOf(9), [mount])).toBeNull();
  });
});
