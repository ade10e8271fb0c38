import type { Country } from './customers.ts';

/** What is wrong with a personal number, in the order in which it is looked at. */
export const personalNumberProblems = ['characters', 'length', 'date', 'check-digit'] as const;
export type PersonalNumberProblem = (typeof personalNumberProblems)[number];

interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

interface Rules {
  readonly digits: number;
  /** Where the written form is parted, and by what. */
  readonly partAt: number;
  readonly partBy: '-' | ' ';
  /** The day of birth that the digits name; null when they name none. */
  readonly bornOn: (digits: string) => CalendarDay | null;
  readonly isChecked: (digits: string) => boolean;
}

const part = (digits: string, from: number, length: number): number => Number(digits.slice(from, from + length));

/** Every second digit doubled, digits of products summed; right when the sum ends in 0. */
const isLuhn = (digits: string): boolean => {
  const sum = [...digits].reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return sum % 10 === 0;
};

const isModulus11 = (digits: string, weights: readonly number[]): boolean =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0) % 11 === 0;

/** Digits 5 to 8 of later centuries, as CPR-kontoret's "Personnummeret i CPR" tells them apart by the seventh digit. */
const danishCentury = (year: number, seventh: number): number => {
  if (seventh <= 3) return 1900;
  if (seventh === 4 || seventh === 9) return year <= 36 ? 2000 : 1900;
  return year <= 57 ? 2000 : 1800;
};

/** By the individual number, as Skatteetaten gives them out; null for what was never given out. */
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
  // CPR: numbers that modulus 11 does not hold for have been given out since 2007.
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
  // A day ahead of UTC there is a day that has begun already.
  return isReal && born.year >= 1800 && date.getTime() <= today.getTime() + 86_400_000;
};

const problemIn = (digits: string, country: Country, today: Date): PersonalNumberProblem | null => {
  const { digits: length, bornOn, isChecked } = rules[country];
  if (digits.length !== length) return 'length';
  if (!isPastDay(bornOn(digits), today)) return 'date';
  return isChecked(digits) ? null : 'check-digit';
};

/** As it is stored, compared and searched: the digits alone, without the spaces and dashes that people write. */
export const normalPersonalNumber = (text: string): string => text.replace(/[\s\u2010-\u2015-]+/g, '');

/** Whose rules the digits are held against where no clinic names a country: their number tells. */
export const countryOfPersonalNumber = (text: string): Country => {
  const { length } = normalPersonalNumber(text);
  if (length === rules.DK.digits) return 'DK';
  return length === rules.NO.digits ? 'NO' : 'SE';
};

/**
 * What is wrong with a personal number by the rules of the country of the clinic; null when nothing is. A person without a clinic (`country` null)
 * may have one of any of these countries.
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

/** As people of that country write it: `19800101-9804`, `010180-1234`, `010180 12345`. What is none stays as it is. */
export const writtenPersonalNumber = (text: string, country: Country | null): string => {
  const digits = normalPersonalNumber(text);
  const { digits: length, partAt, partBy } = rules[country ?? countryOfPersonalNumber(digits)];
  return /^\d+$/.test(digits) && digits.length === length
    ? `${digits.slice(0, partAt)}${partBy}${digits.slice(partAt)}`
    : text;
};
