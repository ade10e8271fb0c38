import { expect, test } from 'vitest';
import { exchanged, type Hanging, hangs, holds, mounted, unmounted } from '../../server/resource/hanging.ts';
import { seeded } from './seeded.ts';

const hanging = (slots: readonly (string | null)[], tray: readonly string[] = []): Hanging => ({
  slots: new Map(slots.entries()),
  tray,
});
const flat = ({ slots, tray }: Hanging) => [[...slots.values()], [...tray]];
const everything = (...all: Hanging[]) =>
  all
    .flatMap(flat)
    .flat()
    .filter((image) => image !== null)
    .toSorted();

test('an image from the tray, from outside and from another slot', () => {
  expect(flat(mounted(hanging([null, 'b'], ['c', 'd']), 0, 'c'))).toEqual([['c', 'b'], ['d']]);
  expect(flat(mounted(hanging(['a', 'b'], ['c', 'd']), 0, 'c'))).toEqual([
    ['c', 'b'],
    ['d', 'a'],
  ]);
  expect(flat(mounted(hanging(['a', null]), 0, 'x'))).toEqual([['x', null], ['a']]);
  expect(flat(mounted(hanging(['a', 'b']), 1, 'a'))).toEqual([['b', 'a'], []]);
  expect(flat(mounted(hanging(['a', null]), 1, 'a'))).toEqual([[null, 'a'], []]);
  expect(flat(mounted(hanging(['a', null]), 0, 'a'))).toEqual([['a', null], []]);
});

test('unmounting an empty slot changes nothing', () => {
  expect(flat(unmounted(hanging(['a', null], ['b']), 1))).toEqual([['a', null], ['b']]);
});

test('two viewsets exchange what hangs in a slot of each; what lay in the tray there leaves it', () => {
  const one = { hanging: hanging(['a'], ['x']), index: 0 };
  const other = { hanging: hanging([null, 'x'], ['a']), index: 1 };
  expect(exchanged(one, other).map(flat)).toEqual([
    [['x'], []],
    [[null, 'a'], []],
  ]);
});

test('whatever is done, no image is lost and none is there twice', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = seeded(seed);
    let one = hanging(['a', 'b', null, 'c', null], ['d', 'e']);
    let other = hanging([null, 'f', 'g'], ['h']);
    const start = everything(one, other);
    for (let step = 0; step < 60; step += 1) {
      const index = random.below(5);
      const there = random.below(3);
      const inHand = random.pick([...one.slots.values(), ...one.tray].filter((image) => image !== null));
      const kind = random.below(3);
      if (kind === 0 && inHand !== undefined) {
        one = mounted(one, index, inHand);
        expect(holds(one, index, inHand)).toBe(true);
      } else if (kind === 1) one = unmounted(one, index);
      else [one, other] = exchanged({ hanging: one, index }, { hanging: other, index: there });
      expect(everything(one, other), `seed ${seed}, step ${step}`).toEqual(start);
      for (const image of one.tray) expect(hangs(one, image)).toBe(false);
    }
  }
});
