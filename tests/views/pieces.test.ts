import { describe, expect, it } from 'vitest';
import { birthDateOf } from '../../src/views/forms/birth-date.ts';
import { ageAt } from '../../src/views/parts/age.ts';
import { clipName } from '../../src/views/parts/clip-name.ts';
import { fileSize } from '../../src/views/parts/file-size.ts';

describe('the name of a clinic in the chip', () => {
  it('stays whole up to 24 characters and keeps 21 of 25 or more', () => {
    expect(clipName('A'.repeat(24))).toBe('A'.repeat(24));
    expect(clipName('A'.repeat(25))).toBe(`${'A'.repeat(21)}…`);
  });

  it('counts letters, not code units', () => {
    expect(clipName('🦷'.repeat(25))).toBe(`${'🦷'.repeat(21)}…`);
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
    expect(fileSize(999_990, 'en')).toBe('999.99 kB');
    expect(fileSize(999_999, 'en')).toBe('1.00 MB');
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
