import { expect, it } from 'vitest';
import type { Viewset } from '../../../contract/viewsets.ts';
import { inTwoRows } from '../../../src/views/workspace/viewset/two-rows.ts';
import { aSlot, aViewset } from '../records.ts';

const [width, height] = [1700, 1300];
/** Slots in one row, from the left. */
const rowOf = (teeth: readonly (readonly number[])[]): Viewset =>
  aViewset(
    teeth.map((some, at) => aSlot(at, { xPos: at * width, yPos: 0, width, height, teeth: [...some] })),
    { width: teeth.length * width, height },
  );
const bitewings = [
  [17, 16, 47, 46],
  [15, 14, 45, 44],
  [24, 25, 34, 35],
  [26, 27, 36, 37],
];
const cornersOf = (mount: Viewset | null) => mount?.viewSetItems.map(({ xPos, yPos }) => [xPos, yPos]);

it('puts the outer pair of four bitewings above the inner pair, each on its side and as large as before', () => {
  const mount = inTwoRows(rowOf(bitewings));
  expect(cornersOf(mount)).toEqual([
    [0, 0],
    [0, height],
    [width, height],
    [width, 0],
  ]);
  expect(mount).toMatchObject({ width: 2 * width, height: 2 * height });
  expect(mount?.viewSetItems.every((item) => item.width === width && item.height === height)).toBe(true);
});

it('leaves rows alone whose second row would be read as the other side or the other jaw', () => {
  expect(inTwoRows(rowOf([bitewings[0] ?? [], bitewings[3] ?? []]))).toBeNull();
  expect(inTwoRows(rowOf([[17], [15], [25], [27]]))).toBeNull();
  expect(inTwoRows(rowOf([[], [], [], []]))).toBeNull();
  expect(inTwoRows(rowOf(bitewings.toReversed()))).toBeNull();
});

it('leaves mounts alone that are not one row of equal slots', () => {
  const mount = rowOf(bitewings);
  const lowered = mount.viewSetItems.map((item, at) => (at === 1 ? { ...item, yPos: height } : item));
  expect(inTwoRows({ ...mount, viewSetItems: lowered })).toBeNull();
});
