import { dateOnly } from '../../../contract/bounds.ts';

/** Accepted years; others are typing errors. */
const [firstYear, lastYear] = [1800, 2199];

/** Returns year, month and day as typed; null when ambiguous or unreadable. */
const piecesOf = (text: string): readonly [string, string, string] | null => {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? [];
  if (year && month && day) return [year, month, day];
  const [, first, before, second, after, third] =
    /^(\d+)(\s*[-./]\s*|\s+)(\d+)(\s*[-./]\s*|\s+)(\d+)$/.exec(text) ?? [];
  if (!first || !second || !third || before?.trim() !== after?.trim()) return null;
  if (first.length === 4) return [first, second, third];
  if (third.length !== 4) return null;
  // With dots the day is first. Otherwise the month may be first, so only unambiguous dates are accepted.
  const isDayFirst = before?.trim() === '.' || Number(first) > 12 || Number(first) === Number(second);
  return isDayFirst ? [third, second, first] : null;
};

const written = (text: string) => text.trim().replaceAll(/[\u2010-\u2015\u2212]/g, '-');

const writtenDay = (text: string): string | null => {
  const [year = '', month = '', day = ''] = piecesOf(written(text)) ?? [];
  if (!(Number(year) >= firstYear && Number(year) <= lastYear) || month.length > 2 || day.length > 2) return null;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
};

/** Parses a typed date to `YYYY-MM-DD`; null when invalid or ambiguous. */
export const dayOf = (text: string): string | null => dateOnly.safeParse(writtenDay(text)).data ?? null;

/** Returns whether the date is complete; shorter text may still be extended. */
export const isWhole = (text: string): boolean => /^(\d{4}-\d\d-\d\d|\d{8})$/.test(written(text));

/** Returns why the text is not a date; null when it is one or empty. */
export const dayProblem = (text: string): 'noSuchDay' | 'otherForm' | null => {
  if (text.trim() === '' || dayOf(text) !== null) return null;
  return writtenDay(text) === null ? 'otherForm' : 'noSuchDay';
};
