import { type RawBuilder, sql } from 'kysely';
import { ProblemError } from '../../domain/problem-error.ts';
import { searchKey } from '../../domain/search-key.ts';
import { afterAll, all, any, hasWord, startsWith } from './search-terms.ts';

export type Condition = RawBuilder<boolean>;
type Text = RawBuilder<string | null>;

/** Rows of an index among which all matches are: a query for ids of studies or of patients. */
export interface IndexEntries {
  readonly of: 'study' | 'patient';
  readonly ids: RawBuilder<unknown>;
  /** Each entry reads rows of tables, so that counting many takes long. */
  readonly isSlow?: boolean;
}

/** How a key is matched. */
export interface KeyMatch {
  /** The table whose columns the condition names. */
  readonly of: 'patient' | 'study' | 'series' | 'image';
  readonly isMatch: Condition;
  readonly entries: readonly IndexEntries[];
  /** The condition names the id of the study alone, so it is compared before the study is read. */
  readonly needsOnlyId?: boolean;
}

const word = sql<string>`word`;

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

/** A value or range of times as files write them; the collation of the column is "C". @throws ProblemError 'invalid-request' */
export const ofTime = (column: Text, value: string): Condition => {
  const [, from = '', dash, to = ''] = timeRange.exec(value.replaceAll(':', '')) ?? [];
  if ((from === '' && to === '') || (from && to && !dash)) throw invalid();
  if (!dash) return sql`${column} like ${`${from}%`}`;
  return all([
    ...(from ? [sql<boolean>`${column} >= ${from}`] : []),
    // `1030` includes all of that minute.
    ...(to ? [sql<boolean>`${column} < ${afterAll(to)}`] : []),
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

const nameWords = (customerId: string) =>
  sql`select patient_id from patient_word where customer_id = ${customerId} and place in (0, 1)`;

/** Patients whose names have words of all these beginnings. The longest, which is likely to be the rarest, is looked up. */
const withNameWords = (customerId: string, prefixes: readonly string[]): IndexEntries[] => {
  const [longest, ...others] = prefixes.toSorted((one, other) => other.length - one.length);
  if (longest === undefined) return [];
  const isFound = all([
    startsWith(word, longest.slice(0, longestPrefix)),
    ...others.map((prefix) => hasWord(sql<string>`names`, prefix)),
  ]);
  return [{ of: 'patient', ids: sql`${nameWords(customerId)} and ${isFound}` }];
};

/** Patients with a word that contains this; one that was cut may contain it behind the cut. */
const withPartOfName = (customerId: string, part: string): IndexEntries => ({
  of: 'patient',
  ids: sql`${nameWords(customerId)} and word in (select word from patient_name_word where customer_id = ${customerId}
    and (word like ${`%${part}%`} or length(word) >= ${longestPrefix}))`,
});

/** The name of a patient, `family^given` or the family name, with wildcards and without regard to case and diacritics. */
export const ofPatientName = (customerId: string, value: string): KeyMatch => {
  const pattern = namePattern(value);
  const like = likePattern(pattern);
  const isMatch = any([
    sql<boolean>`${nameOfPatient} like ${like}`,
    sql<boolean>`trim(folded_words(patient.last_name)) like ${like}`,
  ]);
  const parts = pattern.split(/[*?^ ]/).filter((chunk) => /^[\p{L}\p{N}]{3,}$/u.test(chunk));
  const words = withNameWords(customerId, prefixesIn(pattern));
  return {
    of: 'patient',
    // Most names are refused by the plain comparison of a part.
    isMatch: all([...parts.map((part) => sql<boolean>`patient.search_text like ${`%${part}%`}`), isMatch]),
    entries: words.length > 0 ? words : parts.map((part) => withPartOfName(customerId, part)),
  };
};

/** Fuzzy: each word of the value is the beginning of a word of the name, in any order. */
export const ofFuzzyPatientName = (customerId: string, value: string): KeyMatch => {
  const words = searchKey(value).split(' ').filter(Boolean);
  const isMatch = words.map((prefix) => hasWord(sql<string>`patient.search_text`, prefix));
  return {
    of: 'patient',
    isMatch: words.length === 0 ? sql`false` : all(isMatch),
    entries: withNameWords(customerId, words),
  };
};

/** A personal number in any usual form, with or without century and dash; or the beginning of one before `*`. */
export const ofPatientId = (customerId: string, value: string): KeyMatch => {
  const number = searchKey(value.replace(/\*$/, '')).replaceAll(' ', '');
  if (number === '' || /[*?]/.test(value.replace(/\*$/, '')))
    return { of: 'patient', isMatch: ofText(sql`patient.personal_number`, value), entries: [] };
  const isPrefix = value.endsWith('*');
  const matches = isPrefix ? startsWith(word, number) : sql<boolean>`${word} = ${number}`;
  const ids = sql`select patient_id from patient_word where customer_id = ${customerId} and place = 2
    and length(word) >= ${isPrefix ? 1 : 5}::integer and ${matches}`;
  const isMatch = sql<boolean>`exists (select from patient_word where customer_id = ${customerId} and place = 2
    and patient_id = patient.id and length(word) >= ${isPrefix ? 1 : 5}::integer and ${matches})`;
  return { of: 'patient', isMatch, entries: [{ of: 'patient', ids }] };
};

export const ofBirthDate = (customerId: string, value: string): KeyMatch => {
  const isMatch = ofDay(sql`patient.birth_date`, value);
  const ids = sql`select id from patient where customer_id = ${customerId} and deleted_at is null and ${isMatch}`;
  return { of: 'patient', isMatch, entries: [{ of: 'patient', ids }] };
};

/** Studies that have a word with the beginning of the value. */
const withStudyWord = (customerId: string, value: string): IndexEntries[] => {
  const [start = ''] = searchKey(value.split(/[*?]/)[0] ?? '').split(' ');
  if (start === '') return [];
  const ids = sql`select study_id from study_word where customer_id = ${customerId}
    and ${startsWith(word, start.slice(0, longestPrefix))}`;
  return [{ of: 'study', ids }];
};

/** An accession number or description with wildcards; its beginning is looked up in the index of words. */
export const ofStudyWords = (customerId: string, column: Text, value: string): KeyMatch => ({
  of: 'study',
  isMatch: ofText(column, value),
  entries: withStudyWord(customerId, value),
});
