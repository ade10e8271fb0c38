import { describe, expect, it } from 'vitest';
import { clipName } from '../../src/views/app/shell/header.tsx';
import { birthDateOf } from '../../src/views/forms/birth-date.ts';
import { ageAt, timeOfDay, today } from '../../src/views/ui/dates.ts';
import { fileSize } from '../../src/views/ui/file-size.ts';

describe('the clinic name in the header', () => {
  it('is not cut up to 24 characters, and is cut to 21 from 25 on', () => {
    expect(clipName('A'.repeat(24))).toBe('A'.repeat(24));
    expect(clipName('A'.repeat(25))).toBe(`${'A'.repeat(21)}…`);
  });

  it('counts characters, not code units', () => {
    expect(clipName('🦷'.repeat(25))).toBe(`${'🦷'.repeat(21)}…`);
  });
});

describe('an age', () => {
  it('is in whole years and months, up to the day before the birthday', () => {
    expect(ageAt('1985-04-23', '2026-04-22')).toEqual({ years: 40, months: 11 });
    expect(ageAt('1985-04-23', '2026-04-23')).toEqual({ years: 41, months: 0 });
  });

  it('is unknown without a birth date and before birth', () => {
    expect(ageAt(null, '2026-01-01')).toBeNull();
    expect(ageAt('2027-01-01', '2026-01-01')).toBeNull();
  });
});

describe('date and time of now', () => {
  it.each([
    ['2026-11-28T22:59:00Z', '2026-11-28', '23:59'],
    ['2026-11-28T23:30:00Z', '2026-11-29', '00:30'],
    ['2026-06-30T22:30:00Z', '2026-07-01', '00:30'],
  ])('at %s are those of the clinics in Sweden: %s %s', (now, day, time) => {
    expect([today(new Date(now)), timeOfDay(new Date(now))]).toEqual([day, time]);
  });
});

describe('the size of a file', () => {
  it('uses decimal units with two decimals in the number format of the language', () => {
    expect(fileSize(999, 'en')).toBe('999 Bytes');
    expect(fileSize(1000, 'en')).toBe('1.00 kB');
    expect(fileSize(999_990, 'en')).toBe('999.99 kB');
    expect(fileSize(999_999, 'en')).toBe('1.00 MB');
    expect(fileSize(8_234_567, 'sv')).toBe('8,23 MB');
    expect(fileSize(0, 'en')).toBe('0 Bytes');
  });
});

describe('the birth date in a personal number', () => {
  it('is parsed from twelve digits, including coordination numbers', () => {
    expect(birthDateOf('19850423-2380')).toBe('1985-04-23');
    expect(birthDateOf('198504832380')).toBe('1985-04-23');
  });

  it('is not parsed from other numbers or invalid dates', () => {
    expect(birthDateOf('850423-2380')).toBeNull();
    expect(birthDateOf('198502302380')).toBeNull();
  });
});
