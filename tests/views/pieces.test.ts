import { describe, expect, it } from 'vitest';
import { ageAt } from '../../src/views/parts/age.ts';
import { clipName } from '../../src/views/parts/clip-name.ts';
import { fileSize } from '../../src/views/parts/file-size.ts';
import { mountFrame, slotFrame } from '../../src/views/parts/mount-layout.ts';
import { birthDateOf } from '../../src/views/search/birth-date.ts';

describe('the name of a clinic in the chip', () => {
  it('stays whole up to 24 characters and keeps 21 of 25 or more', () => {
    expect(clipName('A'.repeat(24))).toBe('A'.repeat(24));
    expect(clipName('A'.repeat(25))).toBe(`${'A'.repeat(21)}…`);
  });

  it('counts letters, not code units', () => {
    expect(clipName('🦷'.repeat(25))).toBe(`${'🦷'.repeat(21)}…`);
  });
});

describe('a mount in its room', () => {
  const mount = { width: 400, height: 100 };

  it('keeps its proportion and lies in the middle, whether the room is wide or high', () => {
    expect(mountFrame(mount, { width: 800, height: 600 })).toEqual({ left: 0, top: 200, width: 800, height: 200 });
    expect(mountFrame(mount, { width: 800, height: 50 })).toEqual({ left: 300, top: 0, width: 200, height: 50 });
  });

  it('lays neighbouring slots edge to edge on whole pixels', () => {
    const frame = mountFrame(mount, { width: 777, height: 600 });
    const slots = [0, 1, 2].map((index) => ({ xPos: (index * 400) / 3, yPos: 0, width: 400 / 3, height: 100 }));
    const placed = slots.map((slot) => slotFrame(slot, mount, frame));
    expect(placed[1]?.left).toBe((placed[0]?.left ?? 0) + (placed[0]?.width ?? 0));
    expect(placed[2]?.left).toBe((placed[1]?.left ?? 0) + (placed[1]?.width ?? 0));
    expect((placed[2]?.left ?? 0) + (placed[2]?.width ?? 0)).toBe(777);
    for (const place of placed) expect(Object.values(place).every(Number.isInteger)).toBe(true);
  });

  it('is nothing in a room without size', () => {
    expect(mountFrame(mount, { width: 0, height: 0 })).toMatchObject({ width: 0, height: 0 });
  });
});

describe('an age', () => {
  it('is counted in whole years and months to the day before the birthday', () => {
    expect(ageAt('1985-04-23', '2026-04-22')).toEqual({ years: 40, months: 11 });
    expect(ageAt('1985-04-23', '2026-04-23')).toEqual({ years: 41, months: 0 });
  });

  it('is not known without a birth date, nor before birth', () => {
    expect(ageAt(null, '2026-01-01')).toBeNull();
    expect(ageAt('2027-01-01', '2026-01-01')).toBeNull();
  });
});

describe('the size of a file', () => {
  it('is given in decimal units with two decimals, as the language writes numbers', () => {
    expect(fileSize(999, 'en')).toBe('999 Bytes');
    expect(fileSize(1000, 'en')).toBe('1.00 kB');
    expect(fileSize(8_234_567, 'sv')).toBe('8,23 MB');
    expect(fileSize(0, 'en')).toBe('0 Bytes');
  });
});

describe('the birth date in a personal number', () => {
  it('is read from twelve digits, coordination numbers too', () => {
    expect(birthDateOf('19850423-2380')).toBe('1985-04-23');
    expect(birthDateOf('198504832380')).toBe('1985-04-23');
  });

  it('is not read from other numbers nor from days that do not exist', () => {
    expect(birthDateOf('850423-2380')).toBeNull();
    expect(birthDateOf('198502302380')).toBeNull();
  });
});
