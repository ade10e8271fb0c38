import { expect, it } from 'vitest';
import {
  applied,
  areAllPossible,
  nextFreeSlot,
  nothingSelected,
  type Operation,
  operationOf,
  type PlacementRequest,
  type Selection,
  selectionAfter,
} from '../../src/machines/viewset/viewset.rules.ts';
import { randomOf } from '../random-of.ts';
import { applyOperation, imagesOf, type Placement, placementOf, viewsetOf } from './viewset-fixtures.ts';

const randomPlacement = (random: (below: number) => number): Placement => {
  const slotCount = 1 + random(6);
  const names = Array.from({ length: random(9) }, (_, index) => `image-${index}`);
  const slots: Record<number, string | null> = {};
  for (let index = 0; index < slotCount; index += 1) slots[index] = random(2) === 0 ? (names.pop() ?? null) : null;
  return { slots, tray: names };
};

const randomRequest = (random: (below: number) => number, { slots, tray }: Placement): PlacementRequest => {
  const slot = () => random(Object.keys(slots).length + 1);
  const images = [...tray, ...Object.values(slots).filter((uid) => uid !== null), 'elsewhere'];
  const imageUid = images[random(images.length)] ?? 'elsewhere';
  const requests: readonly PlacementRequest[] = [
    { type: 'image.mounted', imageUid, itemIndex: slot() },
    { type: 'image.mounted', imageUid: tray[0] ?? imageUid, itemIndex: slot() },
    { type: 'image.unmounted', itemIndex: slot() },
    { type: 'image.reordered', from: slot(), to: slot() },
    { type: 'image.reordered', from: slot(), to: null },
    { type: 'image.moved-in', imageUid: 'elsewhere', viewsetId: 'other', from: 0, itemIndex: slot() },
  ];
  return requests[random(requests.length)] ?? { type: 'image.unmounted', itemIndex: 0 };
};

it("neither loses nor duplicates images in random operations, and agrees with the contract's rules", () => {
  let operations = 0;
  for (let seed = 1; seed <= 400; seed += 1) {
    const random = randomOf(seed);
    const start = randomPlacement(random);
    const confirmed = viewsetOf('v', 1, start);
    let expected = start;
    const pending: Operation[] = [];
    for (let count = 0; count < 12; count += 1) {
      const shown = applied(confirmed, pending);
      const request = randomRequest(random, placementOf(shown));
      const operation = operationOf(shown, request);
      if (!operation) continue;
      operations += 1;
      const fromElsewhere =
        operation.kind === 'move-in' || (operation.kind === 'mount' && operation.from === 'elsewhere');
      const next = applyOperation(expected, operation);
      expect(next, JSON.stringify({ expected, request })).not.toBeNull();
      // Images from elsewhere are unknown before the reply.
      if (next && !fromElsewhere) expected = next;
      pending.push(operation);
      const after = placementOf(applied(confirmed, pending));
      expect(after, JSON.stringify({ start, pending })).toEqual(expected);
      const images = imagesOf(after);
      expect(new Set(images).size).toBe(images.length);
      expect([...images].sort()).toEqual([...imagesOf(start)].sort());
      if (fromElsewhere) pending.pop();
    }
    expect(areAllPossible(confirmed, pending)).toBe(true);
    // Teeth stay with the slot.
    expect(applied(confirmed, pending).viewSetItems.map(({ teeth }) => teeth)).toEqual(
      confirmed.viewSetItems.map(({ teeth }) => teeth),
    );
  }
  expect(operations).toBeGreaterThan(1_000);
});

it('does not move an image that is no longer where the user saw it', () => {
  const seen = viewsetOf('v', 1, { slots: { 0: 'a', 1: null }, tray: ['b'] });
  const unmount = operationOf(seen, { type: 'image.unmounted', itemIndex: 0 });
  const mount = operationOf(seen, { type: 'image.mounted', imageUid: 'b', itemIndex: 1 });
  const swap = operationOf(seen, { type: 'image.reordered', from: 0, to: 1 });
  const swapped = viewsetOf('v', 2, { slots: { 0: 'b', 1: 'a' }, tray: [] });
  for (const operation of [unmount, mount, swap]) {
    expect(operation).not.toBeNull();
    if (!operation) continue;
    expect(areAllPossible(seen, [operation])).toBe(true);
    expect(areAllPossible(swapped, [operation])).toBe(false);
    expect(applied(swapped, [operation])).toBe(swapped);
  }
});

it('moves an image that is mounted already when it is mounted again', () => {
  const shown = viewsetOf('v', 1, { slots: { 0: 'a', 1: 'b' }, tray: [] });
  expect(operationOf(shown, { type: 'image.mounted', imageUid: 'a', itemIndex: 1 })).toEqual({
    kind: 'move',
    imageUid: 'a',
    from: 0,
    to: 1,
    displaced: 'b',
  });
  expect(operationOf(shown, { type: 'image.mounted', imageUid: 'a', itemIndex: 0 })).toBeNull();
});

it('moves the display settings of an image along with it', () => {
  const plain = viewsetOf('v', 1, { slots: { 0: 'a', 1: 'b' }, tray: [] });
  const display = { gamma: 2 } as never;
  const confirmed = {
    ...plain,
    viewSetItems: plain.viewSetItems.map((item) =>
      item.itemIndex === 0 ? { ...item, display, displayVersion: 3 } : item,
    ),
  };
  const swap = operationOf(confirmed, { type: 'image.reordered', from: 0, to: 1 });
  const [first, second] = applied(confirmed, swap ? [swap] : []).viewSetItems;
  expect([first?.activeImage?.uid, first?.display, first?.displayVersion]).toEqual(['b', null, 0]);
  expect([second?.activeImage?.uid, second?.display, second?.displayVersion]).toEqual(['a', display, 3]);
});

it('fills 18 slots with 18 key presses, in capture order and around the end', () => {
  const slots = Object.fromEntries(Array.from({ length: 18 }, (_, index) => [index, null]));
  const tray = Array.from({ length: 18 }, (_, index) => `image-${index}`);
  let shown = viewsetOf('v', 1, { slots, tray });
  // Capture order runs against the index here: begin in the middle.
  let selection: Selection = { slot: 9, trayImage: 'image-0' };
  for (let press = 0; press < 18; press += 1) {
    const { slot, trayImage } = selection;
    const operation =
      slot === null || trayImage === null
        ? null
        : operationOf(shown, { type: 'image.mounted', imageUid: trayImage, itemIndex: slot });
    expect(operation, `press ${press}`).not.toBeNull();
    if (!operation) return;
    selection = selectionAfter(selection, shown, operation);
    shown = applied(shown, [operation]);
  }
  expect(shown.detachedImages).toEqual([]);
  const inOrder = shown.viewSetItems
    .toSorted((one, other) => one.order - other.order)
    .map(({ activeImage }) => Number(activeImage?.uid.slice('image-'.length)));
  // The slot that was filled first is the ninth.
  expect(inOrder).toEqual(tray.map((_, place) => (place + 10) % 18));
  expect(selection.trayImage).toBeNull();
  expect(nextFreeSlot(shown, 3)).toBeNull();
});

it('keeps the selection in the tray when another image is mounted, and follows one that is moved', () => {
  const shown = viewsetOf('v', 1, { slots: { 0: 'a', 1: null, 2: null }, tray: ['b', 'c'] });
  const mount = operationOf(shown, { type: 'image.mounted', imageUid: 'b', itemIndex: 2 });
  const move = operationOf(shown, { type: 'image.reordered', from: 0, to: 2 });
  if (!mount || !move) throw new Error('Both operations should be possible');
  expect(selectionAfter({ slot: 2, trayImage: 'c' }, shown, mount)).toEqual({ slot: 1, trayImage: 'c' });
  expect(selectionAfter({ slot: 0, trayImage: null }, shown, move).slot).toBe(2);
  expect(selectionAfter(nothingSelected, shown, move)).toEqual(nothingSelected);
});
