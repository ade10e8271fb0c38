import { dateOnly } from '../../../contract/bounds.ts';

/** Nobody who is treated, and nothing that is planned, lies outside these years. */
const [firstYear, lastYear] = [1800, 2199];

/** Year, month and day as they were typed; null where that can be read in two ways, or in none. */
const piecesOf = (text: string): readonly [string, string, string] | null => {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? [];
  if (year && month && day) return [year, month, day];
  const [, first, before, second, after, third] =
    /^(\d+)(\s*[-./]\s*|\s+)(\d+)(\s*[-./]\s*|\s+)(\d+)$/.exec(text) ?? [];
  if (!first || !second || !third || before?.trim() !== after?.trim()) return null;
  if (first.length === 4) return [first, second, third];
  if (third.length !== 4) return null;
  // With dots everybody writes the day first. With anything else some write the month first: only what cannot be that is read.
  const isDayFirst = before?.trim() === '.' || Number(first) > 12 || Number(first) === Number(second);
  return isDayFirst ? [third, second, first] : null;
};

const written = (text: string) => text.trim().replaceAll(/[\u2010-\u2015\u2212]/g, '-');

const writtenDay = (text: string): string | null => {
  const [year = '', month = '', day = ''] = piecesOf(written(text)) ?? [];
  if (!(Number(year) >= firstYear && Number(year) <= lastYear) || month.length > 2 || day.length > 2) return null;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
};

/** What somebody typed, as a day `YYYY-MM-DD`; null when it is none, or could be two. */
export const dayOf = (text: string): string | null => dateOnly.safeParse(writtenDay(text)).data ?? null;

/** Nothing more is to come: what is shorter may be the beginning of another day. */
export const isWhole = (text: string): boolean => /^(\d{4}-\d\d-\d\d|\d{8})$/.test(written(text));

/** Why what was typed is no day; null when it is one, or nothing. */
export const dayProblem = (text: string): 'noSuchDay' | 'otherForm' | null => {
  if (text.trim() === '' || dayOf(text) !== null) return null;
  return writtenDay(text) === null ? 'otherForm' : 'noSuchDay';
};
