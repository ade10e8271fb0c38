import { type Kysely, type RawBuilder, sql } from 'kysely';
import { countLimit } from '../../../contract/lists.ts';
import type { ListLanguage } from '../../domain/list-language.ts';
import { withoutSubstitutes } from '../../domain/search-key.ts';
import type { CursorKeys, ListCursors } from '../list-cursors.ts';
import { inListOrder } from '../list-order.ts';
import { listPage } from '../list-page.ts';
import type { Schema } from '../schema.ts';
import { type DateRange, isWithin } from './date-range.ts';
import { isListable, type ListReader } from './listable-patients.ts';
import { all, hasNumber, hasWord, numbersIn, type SearchTerm, searchTerms, startsWith } from './search-terms.ts';

export interface PatientSearch extends DateRange, ListReader {
  readonly q: string;
  readonly page: number;
  readonly ppage: number;
  readonly after?: string | undefined;
  readonly language: ListLanguage;
}

export interface FoundPage {
  readonly ids: readonly string[];
  readonly totalCount: number;
  readonly isTotalExact: boolean;
  readonly next: string | null;
}

/** A row of `patient_word` in the order of its index: the matched word, then the name. */
interface Hit {
  readonly place: number;
  readonly word: string;
  readonly names: string;
  readonly patient_id: string;
  readonly start: number;
}

const [word, names] = [sql<string>`word`, sql<string>`names`];
const beforeIt = sql<string>`left(names, start - 1)`;
const number = 2;

const isNamed = ({ parts }: SearchTerm) => all(parts.map((part) => hasWord(names, part)));
const isFound = (typed: SearchTerm) =>
  typed.number === null ? isNamed(typed) : sql<boolean>`(${isNamed(typed)} or ${hasNumber(names, typed.number)})`;

/** Index entries of one `place` with this prefix, and the condition that selects hits. */
interface Way {
  readonly place: number;
  readonly prefix: string;
  readonly condition: RawBuilder<boolean>;
}

/** Where a search word is looked up, best first: last names, first names, numbers. Each patient appears once, for the first matching word. */
const waysTo = (typed: SearchTerm): Way[] => {
  const [first = '', ...others] = typed.parts;
  const named = all([...others.map((part) => hasWord(names, part)), sql<boolean>`not ${hasWord(beforeIt, first)}`]);
  const ways = [0, 1].map((place) => ({ place, prefix: first, condition: named }));
  if (typed.number === null) return ways;
  const numbered = all([sql<boolean>`not ${hasNumber(beforeIt, typed.number)}`, sql<boolean>`not ${isNamed(typed)}`]);
  return [...ways, { place: number, prefix: typed.number, condition: numbered }];
};

/** Entries that are counted to find the rarest of several words. */
const probed = 2_000;
/** A number prefix of this length matches fewer patients than a common name. */
const tellingDigits = 5;

/** The word whose index entries are scanned; the others are checked on them. */
const rarest = async (db: Kysely<Schema>, customerId: string, typed: readonly SearchTerm[]): Promise<SearchTerm> => {
  const [only, ...others] = typed;
  if (!only) throw new Error('nothing was typed');
  if (others.length === 0) return only;
  const entries = (place: RawBuilder<unknown>, prefix: string) =>
    sql`select 1 from patient_word where customer_id = ${customerId} and ${place} and ${startsWith(word, prefix)}`;
  const counts = typed.map(({ parts: [first = ''], number: digits }) => {
    const both = [entries(sql`place in (0, 1)`, first), ...(digits ? [entries(sql`place = ${number}`, digits)] : [])];
    return sql`(select count(*) from (${sql.join(both, sql` union all `)} limit ${probed}) as entries)`;
  });
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}]::integer[] as counts`.execute(db);
  const weight = (one: SearchTerm, at: number): [number, number, number] => [
    rows[0]?.counts[at] ?? 0,
    one.number !== null && one.number.length >= tellingDigits ? 0 : 1,
    -(one.parts[0]?.length ?? 0),
  ];
  const weighed = typed.map((one, at) => ({ one, weight: weight(one, at) }));
  weighed.sort((a, b) => a.weight.map((value, at) => value - (b.weight[at] ?? 0)).find((by) => by !== 0) ?? 0);
  return weighed[0]?.one ?? only;
};

/** Up to this many matches are sorted by name; more come in the order of the index, of words without diacritics. */
const sortedLimit = 2_000;

interface Matches {
  readonly ways: readonly Way[];
  /** `from ... where ...` of the hits of one way. */
  readonly hitsOf: (way: Way) => RawBuilder<unknown>;
}

interface HitsRequest {
  /** Sort keys of the hit before the page; null for a page by number. */
  readonly from: CursorKeys | null;
  readonly offset: number;
  readonly limit: number;
}

interface FoundHit {
  readonly patientId: string;
  readonly cursor: CursorKeys;
}

/** Walks along the index: fast for any number of matches. */
const inIndexOrder = async (
  db: Kysely<Schema>,
  { ways, hitsOf }: Matches,
  { from, offset, limit }: HitsRequest,
): Promise<FoundHit[]> => {
  const pages = ways
    .filter(({ place }) => !from || place >= Number(from[0]))
    .map((way) => {
      const beyond =
        from && way.place === from[0]
          ? sql`and (word, names, patient_id, start) > (${from[1]}, ${from[2]}, ${from[3]}::uuid, ${from[4]})`
          : sql``;
      return sql`(select place, word, names, patient_id, start ${hitsOf(way)} ${beyond}
        order by place, word, names, patient_id, start limit ${offset + limit})`;
    });
  const { rows } = await sql<Hit>`select * from (${sql.join(pages, sql` union all `)}) as hits
    order by place, word, names, patient_id, start limit ${limit} offset ${offset}`.execute(db);
  return rows.map(({ place, word, names, patient_id: patientId, start }) => ({
    patientId,
    cursor: [place, word, names, patientId, start],
  }));
};

/** Sorts all matches: last names before first names, exact words before longer ones, then by name in the reader's language. */
const inNameOrder = async (
  db: Kysely<Schema>,
  { ways, hitsOf }: Matches,
  { from, offset, limit }: HitsRequest,
  language: ListLanguage,
): Promise<FoundHit[]> => {
  // With `limit`, PostgreSQL looks up each patient by its id; a join might read all patients.
  const hits = ways.map((way) => sql`(select place, word <> ${way.prefix} as is_longer, patient_id ${hitsOf(way)})`);
  const beyond = from ? sql`where (place, is_longer, name, patient_id) > (${sql.join([...from])})` : sql``;
  const { rows } = await sql<{ place: number; is_longer: boolean; name: string; patient_id: string }>`
    select place, is_longer, name, patient_id from (
      select hits.*, ${inListOrder(sql`patient.name_key`, language)} as name
      from (${sql.join(hits, sql` union all `)}) as hits,
        lateral (select name_key from patient where id = hits.patient_id limit 1) as patient) as named ${beyond}
    order by place, is_longer, name, patient_id limit ${limit} offset ${offset}`.execute(db);
  return rows.map((row) => ({
    patientId: row.patient_id,
    cursor: [row.place, row.is_longer, row.name, row.patient_id],
  }));
};

/** Searches patients of a clinic. A cursor also holds which order its list has, and how many patients came before. */
const byWords = async (
  db: Kysely<Schema>,
  { cursors, list }: { readonly cursors: ListCursors; readonly list: string },
  typed: readonly SearchTerm[],
  query: PatientSearch,
): Promise<FoundPage> => {
  const { customerId, page, ppage, after, language } = query;
  const driver = await rarest(db, customerId, typed);
  const further = [
    ...typed.filter((one) => one !== driver).map(isFound),
    ...isListable(sql<string>`patient_id`, query, numbersIn(typed)),
  ];
  const studied = isWithin(sql`patient.last_study_date`, query);
  if (studied)
    further.push(
      sql<boolean>`exists (select 1 from patient where patient.id = patient_word.patient_id and ${studied})`,
    );
  const entries = ({ place, prefix }: Way) =>
    sql`patient_word where customer_id = ${customerId} and place = ${place} and ${startsWith(word, prefix)}`;
  const isHit = ({ condition }: Way) => all([condition, ...further]);
  const ways = waysTo(driver);
  const matches = { ways, hitsOf: (way: Way) => sql`from ${entries(way)} and ${isHit(way)}` };

  // When the words are common and few patients have them all, counting costs far more than showing a page.
  const countedHits = ways.map((way) => sql`(select ${isHit(way)} as is_hit from ${entries(way)})`);
  const { rows: counts } = await sql<{ entries: number; hits: number }>`
    select count(*) as entries, count(*) filter (where is_hit) as hits
    from (${sql.join(countedHits, sql` union all `)} limit ${countLimit + 1}) as looked_at`.execute(db);
  const [counted] = counts;
  const isTotalExact = counted !== undefined && counted.entries <= countLimit;

  const [before, continuesByName, ...from] = after === undefined ? [] : cursors.open(list, after);
  const isByName = after === undefined ? isTotalExact && counted.hits <= sortedLimit : continuesByName === true;
  const seen = after === undefined ? (page - 1) * ppage : Number(before);
  const wanted = { from: after === undefined ? null : from, offset: after === undefined ? seen : 0, limit: ppage + 1 };
  const hits = isByName ? await inNameOrder(db, matches, wanted, language) : await inIndexOrder(db, matches, wanted);
  const rows = hits.slice(0, ppage);
  const last = hits.length > ppage ? rows.at(-1) : undefined;
  const known = Math.max(counted?.hits ?? 0, hits.length > 0 ? seen + hits.length : 0);
  return {
    ids: rows.map(({ patientId }) => patientId),
    totalCount: isTotalExact ? counted.hits : Math.min(known, countLimit),
    isTotalExact,
    next: last ? cursors.seal(list, [seen + rows.length, isByName, ...last.cursor]) : null,
  };
};

/**
 * Returns a page of the patients of a clinic. Without a text all by name; with a text, those in whose names or number every
 * search word is a prefix of a word; when there are none, with `joergen` read as `jørgen`. `from` and `to` bound the date of the last study.
 * @throws ProblemError 'invalid-request' when `after` is not a cursor of this search
 */
export const searchPatients = async (
  db: Kysely<Schema>,
  cursors: ListCursors,
  query: PatientSearch,
): Promise<FoundPage> => {
  const { customerId, q, from, to, language } = query;
  const typed = searchTerms(q);
  // Also names the list that is found with substitutes.
  const list = JSON.stringify(['patients', customerId, query.seesProtected, from ?? '', to ?? '', typed, language]);
  if (typed.length > 0) {
    const found = await byWords(db, { cursors, list }, typed, query);
    const other = withoutSubstitutes(q);
    if (found.totalCount > 0 || other === q.toLowerCase()) return found;
    return byWords(db, { cursors, list }, searchTerms(other), query);
  }
  if (q.trim() !== '') return { ids: [], totalCount: 0, isTotalExact: true, next: null };
  const all = db.selectFrom('patient').where('customer_id', '=', customerId).where('deleted_at', 'is', null);
  const clinic = isListable(sql<string>`id`, query).reduce((found, condition) => found.where(condition), all);
  const studied = isWithin(sql`last_study_date`, query);
  return listPage(
    db,
    studied ? clinic.where(studied) : clinic,
    { cursors, list, keys: { name: [{ nameKey: sql<string>`name_key` }] }, id: sql<string>`id` },
    { ...query, q: undefined, sort: 'name', order: 'asc' },
  );
};
