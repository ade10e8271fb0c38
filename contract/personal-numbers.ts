import type { Country } from './customers.ts';

/** Validation errors of a personal number, in the order of the checks. */
export const personalNumberProblems = ['characters', 'length', 'date', 'check-digit'] as const;
export type PersonalNumberProblem = (typeof personalNumberProblems)[number];

interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

interface Rules {
  readonly digits: number;
  /** Position and character of the separator in the written form. */
  readonly partAt: number;
  readonly partBy: '-' | ' ';
  /** Returns the birth date encoded in the digits, or null. */
  readonly bornOn: (digits: string) => CalendarDay | null;
  readonly isChecked: (digits: string) => boolean;
}

const part = (digits: string, from: number, length: number): number => Number(digits.slice(from, from + length));

/** Luhn check: every second digit doubled, digits of products summed; valid when the sum ends in 0. */
const isLuhn = (digits: string): boolean => {
  const sum = [...digits].reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return sum % 10 === 0;
};

const isModulus11 = (digits: string, weights: readonly number[]): boolean =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0) % 11 === 0;

/** Digits 5 to 8 of later centuries, according to the seventh digit (CPR-kontoret, "Personnummeret i CPR"). */
const danishCentury = (year: number, seventh: number): number => {
  if (seventh <= 3) return 1900;
  if (seventh === 4 || seventh === 9) return year <= 36 ? 2000 : 1900;
  return year <= 57 ? 2000 : 1800;
};

/** Returns the century by the individual number (Skatteetaten); null for unassigned ranges. */
const norwegianCentury = (year: number, individual: number): number | null => {
  if (individual <= 499) return 1900;
  if (year <= 39) return 2000;
  if (individual <= 749 && year >= 54) return 1800;
  return individual >= 900 ? 1900 : null;
};

const rules: Readonly<Record<Country, Rules>> = {
  // Personnummer and samordningsnummer (day + 60), Folkbokföringslag 1991:481 18 and 18 a §; the check digit is over all but the century.
  SE: {
    digits: 12,
    partAt: 8,
    partBy: '-',
    bornOn: (digits) => {
      const day = part(digits, 6, 2);
      return { year: part(digits, 0, 4), month: part(digits, 4, 2), day: day > 60 ? day - 60 : day };
    },
    isChecked: (digits) => isLuhn(digits.slice(2)),
  },
  // CPR: numbers without a valid modulus 11 check have been assigned since 2007.
  DK: {
    digits: 10,
    partAt: 6,
    partBy: '-',
    bornOn: (digits) => {
      const year = part(digits, 4, 2);
      return {
        year: danishCentury(year, part(digits, 6, 1)) + year,
        month: part(digits, 2, 2),
        day: part(digits, 0, 2),
      };
    },
    isChecked: () => true,
  },
  // Fødselsnummer and D-nummer (day + 40), with both check digits.
  NO: {
    digits: 11,
    partAt: 6,
    partBy: ' ',
    bornOn: (digits) => {
      const [day, year] = [part(digits, 0, 2), part(digits, 4, 2)];
      const century = norwegianCentury(year, part(digits, 6, 3));
      return century === null
        ? null
        : { year: century + year, month: part(digits, 2, 2), day: day > 40 ? day - 40 : day };
    },
    isChecked: (digits) =>
      isModulus11(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) && isModulus11(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]),
  },
};

const isPastDay = (born: CalendarDay | null, today: Date): boolean => {
  if (born === null) return false;
  const date = new Date(Date.UTC(born.year, born.month - 1, born.day));
  const isReal = date.getUTCMonth() === born.month - 1 && date.getUTCDate() === born.day;
  // One day of tolerance for time zones ahead of UTC.
  return isReal && born.year >= 1800 && date.getTime() <= today.getTime() + 86_400_000;
};

const problemIn = (digits: string, country: Country, today: Date): PersonalNumberProblem | null => {
  const { digits: length, bornOn, isChecked } = rules[country];
  if (digits.length !== length) return 'length';
  if (!isPastDay(bornOn(digits), today)) return 'date';
  return isChecked(digits) ? null : 'check-digit';
};

/** Returns the normalized form for storage, comparison and search: without spaces and dashes. */
export const normalPersonalNumber = (text: string): string => text.replace(/[\s\u2010-\u2015-]+/g, '');

/** Guesses the country from the number of digits when no clinic determines it. */
export const countryOfPersonalNumber = (text: string): Country => {
  const { length } = normalPersonalNumber(text);
  if (length === rules.DK.digits) return 'DK';
  return length === rules.NO.digits ? 'NO' : 'SE';
};

/**
 * Validates a personal number by the rules of the clinic's country; returns the first error or null. Without a clinic (`country` null) a
 * number of any of these countries is valid.
 * SE: 12 digits YYYYMMDDNNNN, day + 60 in coordination numbers. DK: DDMMYY-NNNN. NO: 11 digits, day + 40 in D-numbers.
 */
export const personalNumberProblem = (
  text: string,
  country: Country | null,
  today: Date = new Date(),
): PersonalNumberProblem | null => {
  const digits = normalPersonalNumber(text);
  if (!/^\d*$/.test(digits)) return 'characters';
  return problemIn(digits, country ?? countryOfPersonalNumber(digits), today);
};

/** Formats a personal number as usual in that country: `19800101-9804`, `010180-1234`, `010180 12345`. Other text is returned unchanged. */
export const writtenPersonalNumber = (text: string, country: Country | null): string => {
  const digits = normalPersonalNumber(text);
  const { digits: length, partAt, partBy } = rules[country ?? countryOfPersonalNumber(digits)];
  return /^\d+$/.test(digits) && digits.length === length
    ? `${digits.slice(0, partAt)}${partBy}${digits.slice(partAt)}`
    : text;
};
