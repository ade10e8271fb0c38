import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Direction, inOrder, neighbourOf } from '../../../src/views/parts/slot-neighbours.ts';
import { mountKeyOf } from '../../../src/views/viewset/mount-keys.ts';
import { filledBeside, firstFree, slotAt } from '../../../src/views/viewset/slot-geometry.ts';
import { createTypedNumber, secondDigitMs } from '../../../src/views/viewset/typed-number.ts';
import { anImage, aSlot, aViewset, fullMouthBoxes } from './mount-fixture.ts';

const slots = fullMouthBoxes().map((box, index) => aSlot(index, box));
const slotNumbered = (order: number) => {
  const found = slots.find((slot) => slot.order === order);
  if (!found) throw new Error(`there is no slot ${order}`);
  return found;
};
const walk = (order: number, ...directions: readonly Direction[]) =>
  directions.reduce<number | null>((at, direction) => {
    if (at === null) return null;
    return neighbourOf(slots, slotNumbered(at), direction)?.order ?? null;
  }, order);

describe('arrows in a full mouth', () => {
  it('go along the upper row from the right side of the patient to the left', () => {
    expect(walk(5, 'right')).toBe(6);
    expect(walk(6, 'right')).toBe(13);
    expect(walk(13, 'right')).toBe(14);
    expect(walk(15, 'right')).toBe(12);
    expect(walk(12, 'right')).toBe(11);
    expect(walk(11, 'right')).toBeNull();
  });

  it('go down a column of three and back', () => {
    expect(walk(5, 'down')).toBe(1);
    expect(walk(5, 'down', 'down')).toBe(9);
    expect(walk(9, 'up', 'up')).toBe(5);
    expect(walk(14, 'down')).toBe(17);
    expect(walk(17, 'down')).toBeNull();
  });

  it('leave no slot out of reach', () => {
    const reached = new Set([1]);
    for (const order of reached)
      for (const direction of ['left', 'right', 'up', 'down'] as const) {
        const next = neighbourOf(slots, slotNumbered(order), direction);
        if (next) reached.add(next.order);
      }
    expect(reached.size).toBe(18);
  });

  it('never go the other way', () => {
    for (const slot of slots) {
      const right = neighbourOf(slots, slot, 'right');
      const down = neighbourOf(slots, slot, 'down');
      if (right) expect(right.xPos + right.width / 2).toBeGreaterThan(slot.xPos + slot.width / 2);
      if (down) expect(down.yPos + down.height / 2).toBeGreaterThan(slot.yPos + slot.height / 2);
    }
  });
});

describe('slots', () => {
  it('are found by a point, the edge belonging to the one it begins', () => {
    expect(slotAt(slots, { x: 0, y: 0 })?.order).toBe(5);
    expect(slotAt(slots, { x: 1700, y: 1300 })?.order).toBe(2);
    expect(slotAt(slots, { x: 3400 + 650, y: 1950 })).toBeNull();
  });

  it('are taken in capture order, whatever order they come in', () => {
    expect(inOrder(slots.toReversed())).toEqual(slots);
    const viewset = aViewset([aSlot(2, [0, 0, 1, 1]), aSlot(0, [0, 0, 1, 1], anImage('a')), aSlot(1, [0, 0, 1, 1])]);
    expect(firstFree(viewset)?.itemIndex).toBe(1);
  });

  it('that are empty are stepped over from image to image', () => {
    const viewset = aViewset([
      aSlot(0, [0, 0, 1, 1], anImage('a')),
      aSlot(1, [1, 0, 1, 1]),
      aSlot(2, [2, 0, 1, 1], anImage('b')),
    ]);
    expect(filledBeside(viewset, 'a', 1)?.itemIndex).toBe(2);
    expect(filledBeside(viewset, 'b', 1)).toBeNull();
  });
});

describe('a typed number', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const typing = (largest: number) => {
    const numbers: number[] = [];
    const shown: string[] = [];
    const typed = createTypedNumber({
      largest: () => largest,
      onNumber: (value) => numbers.push(value),
      onTyping: (text) => shown.push(text),
    });
    return { typed, numbers, shown };
  };

  it('of two digits is one number, and waits no longer than it must', () => {
    const { typed, numbers } = typing(18);
    typed.type('1');
    expect(numbers).toEqual([]);
    typed.type('8');
    expect(numbers).toEqual([18]);
    typed.type('2');
    expect(numbers).toEqual([18, 2]);
  });

  it('of one digit that could be two counts when the second does not come', () => {
    const { typed, numbers, shown } = typing(18);
    typed.type('1');
    expect(shown).toEqual(['1']);
    vi.advanceTimersByTime(secondDigitMs - 1);
    expect(numbers).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(numbers).toEqual([1]);
    expect(shown.at(-1)).toBe('');
  });

  it('is dropped by another key, and 0 is no slot', () => {
    const { typed, numbers } = typing(18);
    typed.type('1');
    typed.clear();
    typed.type('0');
    vi.advanceTimersByTime(secondDigitMs * 2);
    expect(numbers).toEqual([]);
    typed.type('0');
    typed.type('3');
    expect(numbers).toEqual([3]);
  });
});

describe('keys of the mount', () => {
  const press = (key: string, more: Partial<KeyboardEvent> = {}) => ({
    key,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...more,
  });

  it('move and press only where the focus is in the mount or the tray', () => {
    expect(mountKeyOf(press('ArrowLeft'), 'mount')).toEqual({ type: 'step', direction: 'left' });
    expect(mountKeyOf(press('Enter'), 'tray')).toEqual({ type: 'enter' });
    for (const key of ['ArrowLeft', 'Enter', 'Home', 'End']) expect(mountKeyOf(press(key), 'elsewhere')).toBeNull();
    expect(mountKeyOf(press('U'), 'elsewhere')).toEqual({ type: 'unmount' });
  });

  it('leave the keys of the image in hand alone', () => {
    for (const key of ['r', 'R', 'f', 'i', 'w', 'm', 'Backspace', '.'])
      expect(mountKeyOf(press(key), 'mount')).toBeNull();
    expect(mountKeyOf(press('ArrowUp', { shiftKey: true }), 'mount')).toBeNull();
    expect(mountKeyOf(press('z', { ctrlKey: true }), 'mount')).toBeNull();
  });

  it('mean nothing in text', () => {
    for (const key of ['1', 'u', 't', 'Enter', 'Escape']) expect(mountKeyOf(press(key), 'text')).toBeNull();
    expect(mountKeyOf(press('x', { ctrlKey: true }), 'text')).toBeNull();
  });
});
