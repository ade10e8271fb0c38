import { type Kysely, type RawBuilder, sql } from 'kysely';
import { countLimit } from '../../../contract/lists.ts';
import { withoutSubstitutes } from '../../domain/search-key.ts';
import type { ListCursors } from '../list-cursors.ts';
import { listPage } from '../list-page.ts';
import type { Schema } from '../schema.ts';
import { type DateRange, isWithin } from './date-range.ts';
import { all, hasNumber, hasWord, type SearchTerm, searchTerms, startsWith } from './search-terms.ts';

export interface PatientSearch extends DateRange {
  readonly customerId: string;
  readonly q: string;
  readonly page: number;
  readonly ppage: number;
  readonly after?: string | undefined;
}

export interface FoundPage {
  readonly ids: readonly string[];
  readonly totalCount: number;
  readonly isTotalExact: boolean;
  readonly next: string | null;
}

/** A row of `patient_word`, which determines the position of a hit: the matched word, then the name. */
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

/** Searches patients of a clinic: exact names before longer ones, last names before first names. */
const byWords = async (
  db: Kysely<Schema>,
  { cursors, list }: { readonly cursors: ListCursors; readonly list: string },
  typed: readonly SearchTerm[],
  query: PatientSearch,
): Promise<FoundPage> => {
  const { customerId, page, ppage, after } = query;
  const driver = await rarest(db, customerId, typed);
  const further = typed.filter((one) => one !== driver).map(isFound);
  const studied = isWithin(sql`patient.last_study_date`, query);
  if (studied)
    further.push(
      sql<boolean>`exists (select 1 from patient where patient.id = patient_word.patient_id and ${studied})`,
    );
  const entries = ({ place, prefix }: Way) =>
    sql`patient_word where customer_id = ${customerId} and place = ${place} and ${startsWith(word, prefix)}`;
  const isHit = ({ condition }: Way) => all([condition, ...further]);
  const ways = waysTo(driver);

  const from = after === undefined ? null : cursors.open(list, after);
  const seen = from ? Number(from[5]) : (page - 1) * ppage;
  const offset = from ? 0 : seen;
  const pages = ways
    .filter(({ place }) => !from || place >= Number(from[0]))
    .map((way) => {
      const beyond =
        from && way.place === from[0]
          ? sql`and (word, names, patient_id, start) > (${from[1]}, ${from[2]}, ${from[3]}::uuid, ${from[4]})`
          : sql``;
      return sql`(select place, word, names, patient_id, start from ${entries(way)} ${beyond} and ${isHit(way)}
        order by place, word, names, patient_id, start limit ${offset + ppage + 1})`;
    });
  // When the words are common and few patients have them all, counting costs far more than showing a page.
  const countedHits = ways.map((way) => sql`(select ${isHit(way)} as is_hit from ${entries(way)})`);
  const [{ rows: hits }, { rows: counts }] = await Promise.all([
    sql<Hit>`select * from (${sql.join(pages, sql` union all `)}) as hits order by place, word, names, patient_id, start
      limit ${ppage + 1} offset ${offset}`.execute(db),
    sql<{ entries: number; hits: number }>`select count(*) as entries, count(*) filter (where is_hit) as hits
      from (${sql.join(countedHits, sql` union all `)} limit ${countLimit + 1}) as looked_at`.execute(db),
  ]);
  const rows = hits.slice(0, ppage);
  const last = hits.length > ppage ? rows.at(-1) : undefined;
  const [counted] = counts;
  const isTotalExact = counted !== undefined && counted.entries <= countLimit;
  const known = Math.max(counted?.hits ?? 0, hits.length > 0 ? seen + hits.length : 0);
  return {
    ids: rows.map((hit) => hit.patient_id),
    totalCount: isTotalExact ? counted.hits : Math.min(known, countLimit),
    isTotalExact,
    next: last
      ? cursors.seal(list, [last.place, last.word, last.names, last.patient_id, last.start, seen + rows.length])
      : null,
  };
};

/**
 * Returns a page of the patients of a clinic. Without a text all by name, å, ä and ö after z; with a text, those in whose names or number
 * every search word is a prefix of a word; when there are none, with `joergen` read as `jørgen`. `from` and `to` bound the date of the last study.
 * @throws ProblemError 'invalid-request' when `after` is not a cursor of this search
 */
export const searchPatients = async (
  db: Kysely<Schema>,
  cursors: ListCursors,
  query: PatientSearch,
): Promise<FoundPage> => {
  const { customerId, q, from, to } = query;
  const typed = searchTerms(q);
  // Also names the list that is found with substitutes.
  const list = JSON.stringify(['patients', customerId, from ?? '', to ?? '', typed]);
  if (typed.length > 0) {
    const found = await byWords(db, { cursors, list }, typed, query);
    const other = withoutSubstitutes(q);
    if (found.totalCount > 0 || other === q.toLowerCase()) return found;
    return byWords(db, { cursors, list }, searchTerms(other), query);
  }
  if (q.trim() !== '') return { ids: [], totalCount: 0, isTotalExact: true, next: null };
  const clinic = db.selectFrom('patient').where('customer_id', '=', customerId).where('deleted_at', 'is', null);
  const studied = isWithin(sql`last_study_date`, query);
  return listPage(
    db,
    studied ? clinic.where(studied) : clinic,
    { cursors, list, keys: { name: [sql`name_key`] }, id: sql<string>`id` },
    { ...query, q: undefined, sort: 'name', order: 'asc' },
  );
};
