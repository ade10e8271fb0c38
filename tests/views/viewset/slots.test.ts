import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Direction, inOrder, neighbourOf } from '../../../src/views/ui/slot-neighbours.ts';
import { filledBeside, firstFree, slotAt } from '../../../src/views/workspace/viewset/mount-actions.ts';
import { mountKeyOf } from '../../../src/views/workspace/viewset/mount-keys.ts';
import { createTypedNumber, secondDigitMs } from '../../../src/views/workspace/viewset/use-mount-keys.ts';
import { anImage } from '../records.ts';
import { fullMouthBoxes, mountOf, slotIn } from './mount-fixture.ts';

const slots = fullMouthBoxes().map((box, index) => slotIn(index, box));
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

describe('arrow keys in a full mouth', () => {
  it("move along the upper row from the patient's right to the left", () => {
    expect(walk(5, 'right')).toBe(6);
    expect(walk(6, 'right')).toBe(13);
    expect(walk(13, 'right')).toBe(14);
    expect(walk(15, 'right')).toBe(12);
    expect(walk(12, 'right')).toBe(11);
    expect(walk(11, 'right')).toBeNull();
  });

  it('move down a column of three and back', () => {
    expect(walk(5, 'down')).toBe(1);
    expect(walk(5, 'down', 'down')).toBe(9);
    expect(walk(9, 'up', 'up')).toBe(5);
    expect(walk(14, 'down')).toBe(17);
    expect(walk(17, 'down')).toBeNull();
  });

  it('reach every slot', () => {
    const reached = new Set([1]);
    for (const order of reached)
      for (const direction of ['left', 'right', 'up', 'down'] as const) {
        const next = neighbourOf(slots, slotNumbered(order), direction);
        if (next) reached.add(next.order);
      }
    expect(reached.size).toBe(18);
  });

  it('never move in the opposite direction', () => {
    for (const slot of slots) {
      const right = neighbourOf(slots, slot, 'right');
      const down = neighbourOf(slots, slot, 'down');
      if (right) expect(right.xPos + right.width / 2).toBeGreaterThan(slot.xPos + slot.width / 2);
      if (down) expect(down.yPos + down.height / 2).toBeGreaterThan(slot.yPos + slot.height / 2);
    }
  });
});

describe('slots', () => {
  it('are found by a point; an edge belongs to the slot that starts there', () => {
    expect(slotAt(slots, { x: 0, y: 0 })?.order).toBe(5);
    expect(slotAt(slots, { x: 1700, y: 1300 })?.order).toBe(2);
    expect(slotAt(slots, { x: 3400 + 650, y: 1950 })).toBeNull();
  });

  it('are ordered by capture order', () => {
    expect(inOrder(slots.toReversed())).toEqual(slots);
    const viewset = mountOf([slotIn(2, [0, 0, 1, 1]), slotIn(0, [0, 0, 1, 1], anImage('a')), slotIn(1, [0, 0, 1, 1])]);
    expect(firstFree(viewset)?.itemIndex).toBe(1);
  });

  it('are skipped when empty, from image to image', () => {
    const viewset = mountOf([
      slotIn(0, [0, 0, 1, 1], anImage('a')),
      slotIn(1, [1, 0, 1, 1]),
      slotIn(2, [2, 0, 1, 1], anImage('b')),
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

  it('has two digits, and waits no longer than needed', () => {
    const { typed, numbers } = typing(18);
    typed.type('1');
    expect(numbers).toEqual([]);
    typed.type('8');
    expect(numbers).toEqual([18]);
    typed.type('2');
    expect(numbers).toEqual([18, 2]);
  });

  it('with one digit counts after the time limit', () => {
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

  it('move and press only while the focus is in the mount or tray', () => {
    expect(mountKeyOf(press('ArrowLeft'), 'mount')).toEqual({ type: 'step', direction: 'left' });
    expect(mountKeyOf(press('Enter'), 'tray')).toEqual({ type: 'enter' });
    for (const key of ['ArrowLeft', 'Enter', 'Home', 'End']) expect(mountKeyOf(press(key), 'elsewhere')).toBeNull();
    expect(mountKeyOf(press('U'), 'elsewhere')).toEqual({ type: 'unmount' });
  });

  it('leave the keys of the active image alone', () => {
    for (const key of ['r', 'R', 'f', 'i', 'w', 'm', 'Backspace', '.'])
      expect(mountKeyOf(press(key), 'mount')).toBeNull();
    expect(mountKeyOf(press('ArrowUp', { shiftKey: true }), 'mount')).toBeNull();
    expect(mountKeyOf(press('z', { ctrlKey: true }), 'mount')).toBeNull();
  });

  it('have no meaning in text', () => {
    for (const key of ['1', 'u', 't', 'Enter', 'Escape']) expect(mountKeyOf(press(key), 'text')).toBeNull();
    expect(mountKeyOf(press('x', { ctrlKey: true }), 'text')).toBeNull();
  });
});
