import { expect, test } from 'vitest';
import {
  exchangeSlots,
  holds,
  isMounted,
  mountImage,
  type Placement,
  unmountSlot,
} from '../../server/domain/placement.ts';
import { seeded } from './seeded.ts';

const placement = (slots: readonly (string | null)[], tray: readonly string[] = []): Placement => ({
  slots: new Map(slots.entries()),
  tray,
});
const flat = ({ slots, tray }: Placement) => [[...slots.values()], [...tray]];
const everything = (...all: Placement[]) =>
  all
    .flatMap(flat)
    .flat()
    .filter((image) => image !== null)
    .toSorted();

test('mounts an image from the tray, from outside and from another slot', () => {
  expect(flat(mountImage(placement([null, 'b'], ['c', 'd']), 0, 'c'))).toEqual([['c', 'b'], ['d']]);
  expect(flat(mountImage(placement(['a', 'b'], ['c', 'd']), 0, 'c'))).toEqual([
    ['c', 'b'],
    ['d', 'a'],
  ]);
  expect(flat(mountImage(placement(['a', null]), 0, 'x'))).toEqual([['x', null], ['a']]);
  expect(flat(mountImage(placement(['a', 'b']), 1, 'a'))).toEqual([['b', 'a'], []]);
  expect(flat(mountImage(placement(['a', null]), 1, 'a'))).toEqual([[null, 'a'], []]);
  expect(flat(mountImage(placement(['a', null]), 0, 'a'))).toEqual([['a', null], []]);
});

test('unmounting an empty slot changes nothing', () => {
  expect(flat(unmountSlot(placement(['a', null], ['b']), 1))).toEqual([['a', null], ['b']]);
});

test('exchanges the mounted images of two viewsets and removes them from the tray', () => {
  const one = { placement: placement(['a'], ['x']), index: 0 };
  const other = { placement: placement([null, 'x'], ['a']), index: 1 };
  expect(exchangeSlots(one, other).map(flat)).toEqual([
    [['x'], []],
    [[null, 'a'], []],
  ]);
});

test('neither loses nor duplicates an image in any sequence of operations', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = seeded(seed);
    let one = placement(['a', 'b', null, 'c', null], ['d', 'e']);
    let other = placement([null, 'f', 'g'], ['h']);
    const start = everything(one, other);
    for (let step = 0; step < 60; step += 1) {
      const index = random.below(5);
      const there = random.below(3);
      const active = random.pick([...one.slots.values(), ...one.tray].filter((image) => image !== null));
      const kind = random.below(3);
      if (kind === 0 && active !== undefined) {
        one = mountImage(one, index, active);
        expect(holds(one, index, active)).toBe(true);
      } else if (kind === 1) one = unmountSlot(one, index);
      else [one, other] = exchangeSlots({ placement: one, index }, { placement: other, index: there });
      expect(everything(one, other), `seed ${seed}, step ${step}`).toEqual(start);
      for (const image of one.tray) expect(isMounted(one, image)).toBe(false);
    }
  }
});
