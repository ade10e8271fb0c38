import { describe, expect, it } from 'vitest';
import type { Country } from '../../contract/customers.ts';
import { normalPersonalNumber, personalNumberProblem, writtenPersonalNumber } from '../../contract/personal-numbers.ts';

const today = new Date('2026-11-22T12:00:00Z');
const problem = (text: string, country: Country | null) => personalNumberProblem(text, country, today);

/** Completes the check digit; fails when none is valid, which means that the example is wrong. */
const completed = (start: string, missing: number, country: Country): string => {
  const endings = Array.from({ length: 10 ** missing }, (_, value) => String(value).padStart(missing, '0'));
  const right = endings.filter((ending) => problem(start + ending, country) === null);
  expect(right, start).toHaveLength(1);
  return start + right[0];
};

/** Each digit in turn, changed to each other one. */
const withOneChanged = (digits: string): string[] =>
  [...digits].flatMap((own, index) =>
    [...'0123456789']
      .filter((other) => other !== own)
      .map((other) => digits.slice(0, index) + other + digits.slice(index + 1)),
  );

describe('Swedish', () => {
  it('has twelve digits with a check digit, with or without dash and spaces', () => {
    // The example of Skatteverket: 811218-9876.
    for (const text of ['198112189876', '19811218-9876', ' 19811218 9876 ', '19811218–9876'])
      expect(problem(text, 'SE')).toBeNull();
    expect(problem('8112189876', 'SE')).toBe('length');
    expect(problem('1981121898765', 'SE')).toBe('length');
    expect(problem('19811218987x', 'SE')).toBe('characters');
    expect(problem('198112189875', 'SE')).toBe('check-digit');
    expect(problem('198113189876', 'SE')).toBe('date');
  });

  it('may be a coordination number: the day plus 60', () => {
    // The example of Skatteverket: 701063-2391, for a birth on the third.
    expect(problem('197010632391', 'SE')).toBeNull();
    expect(problem('197010602391', 'SE')).toBe('date');
    expect(problem('197010922391', 'SE')).toBe('date');
  });

  it('checks leap years, and rejects dates in the future or before 1800', () => {
    completed('20000229980', 1, 'SE');
    expect(problem('190002299809', 'SE')).toBe('date');
    expect(problem('202612249809', 'SE')).toBe('date');
    expect(problem('178001019809', 'SE')).toBe('date');
  });

  it('detects every wrong digit except those of the century', () => {
    for (const slip of withOneChanged('8112189876')) expect(problem(`19${slip}`, 'SE'), slip).not.toBeNull();
  });
});

describe('Danish', () => {
  it('has ten digits with a valid date', () => {
    expect(problem('010180-1234', 'DK')).toBeNull();
    expect(problem('0101801234', 'DK')).toBeNull();
    expect(problem('320180-1234', 'DK')).toBe('date');
    expect(problem('011380-1234', 'DK')).toBe('date');
    expect(problem('010180-123', 'DK')).toBe('length');
    expect(problem('010180-12A4', 'DK')).toBe('characters');
  });

  it('does not require modulus 11, for numbers since 2007', () => {
    for (const ending of ['1230', '1231', '1232', '1233']) expect(problem(`010165-${ending}`, 'DK')).toBeNull();
  });

  it.each([
    ['290200-4000', null, '2000, a leap year'],
    ['290200-0000', 'date', '1900, none'],
    ['290296-9000', null, '1996'],
    ['290204-5000', null, '2004'],
    ['290260-5000', null, '1860'],
    ['010157-5000', 'date', '2057'],
    ['010130-4000', 'date', '2030'],
    ['010137-4000', null, '1937'],
  ])('%s: the seventh digit determines the century (%s, %s)', (text, expected, _year) => {
    expect(problem(text, 'DK')).toBe(expected);
  });
});

describe('Norwegian', () => {
  // Made up: 1 January 1980, and the same day in a D-number.
  it('is eleven digits with two check digits', () => {
    const number = completed('010180123', 2, 'NO');
    expect(problem(`${number.slice(0, 6)} ${number.slice(6)}`, 'NO')).toBeNull();
    for (const slip of withOneChanged(number)) expect(problem(slip, 'NO'), slip).not.toBeNull();
    expect(problem(number.slice(1), 'NO')).toBe('length');
  });

  it('is the example of Skatteetaten', () => {
    expect(problem('17054026641', 'NO')).toBeNull();
    expect(problem('17054026642', 'NO')).toBe('check-digit');
  });

  it('may be a D-number: the day plus 40', () => {
    completed('410180123', 2, 'NO');
    expect(problem('40018012345', 'NO')).toBe('date');
    expect(problem('72018012345', 'NO')).toBe('date');
  });

  it('has individual numbers of its century only', () => {
    completed('010105600', 2, 'NO');
    completed('010160600', 2, 'NO');
    completed('010160931', 2, 'NO');
    expect(problem('01016080012', 'NO')).toBe('date');
    expect(problem('01014560012', 'NO')).toBe('date');
    expect(problem('01013060012', 'NO')).toBe('date');
  });
});

describe('without a clinic', () => {
  it.each(['19811218-9876', '010180-1234', '170540 26641'])('%s is right', (text) => {
    expect(problem(text, null)).toBeNull();
  });
  it('is validated by the rules of its length', () => {
    expect(problem('198112189875', null)).toBe('check-digit');
    expect(problem('320180-1234', null)).toBe('date');
    expect(problem('123456789', null)).toBe('length');
  });
});

it('is stored as digits and formatted for display', () => {
  expect(normalPersonalNumber(' 19811218–9876')).toBe('198112189876');
  expect(writtenPersonalNumber('198112189876', 'SE')).toBe('19811218-9876');
  expect(writtenPersonalNumber('0101801234', 'DK')).toBe('010180-1234');
  expect(writtenPersonalNumber('01018012345', null)).toBe('010180 12345');
  expect(writtenPersonalNumber('AB 12', 'SE')).toBe('AB 12');
  expect(writtenPersonalNumber('8112189876', 'SE')).toBe('8112189876');
});
