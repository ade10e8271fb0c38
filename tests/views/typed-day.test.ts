import { describe, expect, it } from 'vitest';
import { dayByKey, within } from '../../src/views/ui/calendar-keys.ts';
import { dayOf, dayProblem, isWhole } from '../../src/views/ui/typed-day.ts';

describe('a typed date', () => {
  it.each([
    ['2026-01-05', '2026-01-05'],
    ['20260105', '2026-01-05'],
    ['2026-1-5', '2026-01-05'],
    ['2026/01/05', '2026-01-05'],
    ['2026.1.5', '2026-01-05'],
    ['2026 01 05', '2026-01-05'],
    [' 2026-01-05 ', '2026-01-05'],
    ['2026\u201301\u201305', '2026-01-05'],
    ['2024-02-29', '2024-02-29'],
    // With dots the day is first.
    ['5.1.2026', '2026-01-05'],
    ['05. 01. 2026', '2026-01-05'],
    // Otherwise only where it can be nothing but the day.
    ['25/1/2026', '2026-01-25'],
    ['25-01-2026', '2026-01-25'],
    ['5/5/2026', '2026-05-05'],
  ])('%s is %s', (text, day) => {
    expect(dayOf(text)).toBe(day);
    expect(dayProblem(text)).toBeNull();
  });

  it.each([
    ['5/1/2026', 'the fifth of January, or the first of May'],
    ['05-01-2026', 'the same'],
    ['1/25/2026', 'the month first, which is not how days are written here'],
    ['260105', 'without a century'],
    ['5.1.26', 'the same'],
    ['05012026', 'eight digits begin with the year'],
    ['2026-01', 'a month'],
    ['2026-01/05', 'two ways in one'],
    ['2026-001-05', 'three digits of a month'],
    ['0206-01-05', 'a slip of the hand'],
    ['tomorrow', 'a word'],
    ['2026-01-05T10:00', 'a moment'],
  ])('%s is not a date: %s', (text) => {
    expect(dayOf(text)).toBeNull();
    expect(dayProblem(text)).toBe('otherForm');
  });

  it.each(['2026-02-31', '20250229', '31.4.2026', '2026-13-01', '2026-00-10'])('%s does not exist', (text) => {
    expect(dayOf(text)).toBeNull();
    expect(dayProblem(text)).toBe('noSuchDay');
  });

  it('is no error while it is empty', () => {
    expect(['', '  '].map(dayProblem)).toEqual([null, null]);
  });

  it('may still be extended while a digit is missing', () => {
    expect(['2026-01-05', '20260105', '2026-01-1', '2026-1-1', '1.1.2026'].map(isWhole)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('the keys of a calendar', () => {
  const from =
    (day: string) =>
    (key: string, withShift = false) =>
      dayByKey(day, key, withShift);

  it('move across the ends of months and years', () => {
    expect(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].map((key) => from('2026-01-01')(key))).toEqual([
      '2025-12-31',
      '2026-01-02',
      '2025-12-25',
      '2026-01-08',
    ]);
  });

  it('move to Monday and Sunday of the same week', () => {
    for (const day of ['2026-01-05', '2026-01-08', '2026-01-11'])
      expect(['Home', 'End'].map((key) => from(day)(key))).toEqual(['2026-01-05', '2026-01-11']);
  });

  it('move by months and years, clamped to shorter months', () => {
    expect([from('2026-03-31')('PageUp'), from('2026-01-31')('PageDown')]).toEqual(['2026-02-28', '2026-02-28']);
    expect([from('2024-02-29')('PageUp', true), from('2026-01-05')('PageDown', true)]).toEqual([
      '2023-02-28',
      '2027-01-05',
    ]);
  });

  it('without a meaning move nowhere', () => {
    expect(['Enter', 'Escape', 'Tab', ' ', 'y'].map((key) => from('2026-01-05')(key))).toEqual(Array(5).fill(null));
  });

  it('stop at the first and last allowed date', () => {
    expect(['2025-12-31', '2026-01-05', '2026-02-01'].map((day) => within(day, '2026-01-01', '2026-01-31'))).toEqual([
      '2026-01-01',
      '2026-01-05',
      '2026-01-31',
    ]);
    expect(within('1985-04-23', undefined, undefined)).toBe('1985-04-23');
  });
});
