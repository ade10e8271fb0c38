import { type RawBuilder, sql } from 'kysely';
import { ProblemError } from '../../domain/problem-error.ts';
import { searchKey } from '../../domain/search-key.ts';
import { all, any, startsWith } from './search-terms.ts';

type Condition = RawBuilder<boolean>;
type Text = RawBuilder<string | null>;

/** Prefixes are looked up in indexed words, which are cut after this. */
const longestPrefix = 16;

const likePattern = (value: string): string =>
  value
    .replace(/[\\%_]/g, (sign) => `\\${sign}`)
    .replaceAll('*', '%')
    .replaceAll('?', '_');

const invalid = (): ProblemError => new ProblemError('invalid-request', [{ fieldKey: 'query' }]);

const isoDay = (day: string): string => {
  const iso = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso) throw invalid();
  return iso;
};

/** A value or range of days (PS3.4 C.2.2.2.5). @throws ProblemError 'invalid-request' */
export const ofDay = (column: Text, value: string): Condition => {
  const [, from = '', dash, to = ''] = /^(\d{8})?(-)?(\d{8})?$/.exec(value.replaceAll('.', '')) ?? [];
  if ((from === '' && to === '') || (from && to && !dash)) throw invalid();
  if (!dash) return sql`${column} = ${isoDay(from)}::date`;
  return all([
    ...(from ? [sql<boolean>`${column} >= ${isoDay(from)}::date`] : []),
    ...(to ? [sql<boolean>`${column} <= ${isoDay(to)}::date`] : []),
  ]);
};

/** Days that files state are text. */
export const ofDayText = (column: Text, value: string): Condition =>
  ofDay(sql`(case when ${column} ~ '^[12]\\d{3}(0[1-9]|1[0-2])(0[1-9]|1\\d|2[0-8])$' then ${column}::date end)`, value);

const time = String.raw`\d{2}(?:\d{2}(?:\d{2}(?:\.\d{1,6})?)?)?`;
const timeRange = new RegExp(`^(${time})?(-)?(${time})?$`);

/** A value or range of times as files write them. @throws ProblemError 'invalid-request' */
export const ofTime = (column: Text, value: string): Condition => {
  const [, from = '', dash, to = ''] = timeRange.exec(value.replaceAll(':', '')) ?? [];
  if ((from === '' && to === '') || (from && to && !dash)) throw invalid();
  if (!dash) return sql`${column} like ${`${from}%`}`;
  return all([
    ...(from ? [sql<boolean>`${column} >= ${from}`] : []),
    // `1030` includes all of that minute.
    ...(to ? [sql<boolean>`left(${column}, ${to.length}::integer) <= ${to}`] : []),
  ]);
};

/** A value with wildcards; one without is compared as it is, so that the planner knows how frequent it is. */
export const ofText = (column: Text, value: string): Condition =>
  /[*?]/.test(value) ? sql`${column} like ${likePattern(value)}` : sql`${column} = ${value}`;

/** One of several values with wildcards. */
export const ofTexts = (column: Text, value: string): Condition =>
  any(value.split(/[,\\]/).map((one) => ofText(column, one.trim())));

/** One of a list of UIDs. */
export const ofUids = (column: Text, value: string): Condition =>
  sql`${column} = any(${value.split(/[,\\]/).map((uid) => uid.trim())}::text[])`;

/** @throws ProblemError 'invalid-request' */
export const ofNumber = (column: RawBuilder<number | null>, value: string): Condition => {
  if (!/^[+-]?\d{1,9}$/.test(value.trim())) throw invalid();
  return sql`${column} = ${Number(value)}::integer`;
};

/** Normalizes the text between wildcards. Of the `^` between components the first stays: all given names are one. */
const namePattern = (value: string): string => {
  const [family = '', ...given] = value.replace(/[\^=\s]+$/, '').split('^');
  const parts = given.length === 0 ? [family] : [family, given.join(' ')];
  return parts.map((part) => part.replace(/[^*?]+/g, (chunk) => namePart(chunk))).join('^');
};

/** A space at the edge of a chunk separates words. */
const namePart = (chunk: string): string => {
  const key = searchKey(chunk);
  const [before, after] = [/^[^\p{L}\p{N}]/u.test(chunk) ? ' ' : '', /[^\p{L}\p{N}]$/u.test(chunk) ? ' ' : ''];
  return key === '' ? before : `${before}${key}${after}`;
};

/** Beginnings of words that a name has which matches the pattern. */
const prefixesIn = (pattern: string): string[] =>
  pattern.split(/[*?]/).flatMap((chunk, index) => {
    const words = chunk.split(/[ ^]/);
    // The first word of a chunk after a wildcard may be the middle of one.
    return (index === 0 ? words : words.slice(1)).filter((word) => word !== '');
  });

const nameOfPatient = sql<string>`(trim(folded_words(patient.last_name)) || '^' || trim(folded_words(patient.first_name)))`;

const hasIndexedWord = (customerId: string, prefix: string): Condition =>
  sql`patient.id in (select patient_id from patient_word where customer_id = ${customerId} and place in (0, 1)
    and ${startsWith(sql<string>`word`, prefix.slice(0, longestPrefix))})`;

/** The longest word is looked up in the index: it is likely to be the rarest. */
const byLongest = (customerId: string, prefixes: readonly string[]): Condition[] => {
  const [longest] = prefixes.toSorted((one, other) => other.length - one.length);
  return longest === undefined ? [] : [hasIndexedWord(customerId, longest)];
};

/** The name of a patient, `family^given` or the family name, with wildcards and without regard to case and diacritics. */
export const ofPatientName = (customerId: string, value: string): Condition => {
  const pattern = namePattern(value);
  const inside = pattern.split(/[*?^ ]/).filter((chunk) => /^[\p{L}\p{N}]{3,}$/u.test(chunk));
  const [longest] = inside.toSorted((one, other) => other.length - one.length);
  const like = likePattern(pattern);
  return all([
    ...byLongest(customerId, prefixesIn(pattern)),
    // Served by the trigram index where no beginning of a word is known.
    ...(longest === undefined ? [] : [sql<boolean>`patient.search_text like ${`%${longest}%`}`]),
    any([
      sql<boolean>`${nameOfPatient} like ${like}`,
      sql<boolean>`trim(folded_words(patient.last_name)) like ${like}`,
    ]),
  ]);
};

/** Fuzzy: each word of the value is the beginning of a word of the name, in any order. */
export const ofFuzzyPatientName = (customerId: string, value: string): Condition => {
  const words = searchKey(value).split(' ').filter(Boolean);
  if (words.length === 0) return sql`false`;
  return all([
    ...byLongest(customerId, words),
    ...words.map((word) => sql<boolean>`patient.search_text like ${`% ${word}%`}`),
  ]);
};

/** A personal number in any usual form, with or without century and dash; or the beginning of one before `*`. */
export const ofPatientId = (customerId: string, value: string): Condition => {
  const number = searchKey(value.replace(/\*$/, '')).replaceAll(' ', '');
  if (number === '' || /[*?]/.test(value.replace(/\*$/, ''))) return ofText(sql`patient.personal_number`, value);
  const word = sql<string>`word`;
  const matches = value.endsWith('*') ? startsWith(word, number) : sql<boolean>`${word} = ${number}`;
  return sql`patient.id in (select patient_id from patient_word where customer_id = ${customerId} and place = 2
    and length(word) >= ${value.endsWith('*') ? 1 : 5}::integer and ${matches})`;
};

/** An accession number with wildcards; its beginning is looked up in the index of words. */
export const ofAccession = (customerId: string, value: string): Condition => {
  const [start = ''] = searchKey(value.split(/[*?]/)[0] ?? '').split(' ');
  const exact = ofText(sql`study.accession_number`, value);
  if (start === '') return exact;
  return all([
    sql`study.id in (select study_id from study_word where customer_id = ${customerId}
      and ${startsWith(sql<string>`word`, start.slice(0, longestPrefix))})`,
    exact,
  ]);
};
