import { type Kysely, type RawBuilder, sql } from 'kysely';
import { countLimit } from '../../../contract/lists.ts';
import type { ListCursors } from '../list-cursors.ts';
import type { Schema } from '../schema.ts';
import { isWithin } from './date-range.ts';
import { isListable } from './listable-patients.ts';
import type { FoundPage, PatientSearch } from './patient-search.ts';
import { all, any, hasNumber, hasWord, numbersIn, type SearchTerm, searchTerms, startsWith } from './search-terms.ts';

/** Patients of one word whose studies are fetched together: they have a few each. */
const maxPatients = 2_500;

const word = sql<string>`word`;
const ofStudy = sql<string>`study.search_text`;
const ofPatient = sql<string>`patient.search_text`;
const numberOfPatient = sql<string>`('#' || array_to_string(number_forms(patient.search_digits), '#'))`;
/** As in the index `study_list`: studies without a date come last. */
const day = sql<string>`coalesce(study.study_date, '-infinity'::date)`;

/** Returns whether the word is a prefix of a word in the description, accession number, patient name or number. */
const isFound = ({ parts, number }: SearchTerm): RawBuilder<boolean> =>
  any([
    all(parts.map((part) => hasWord(ofStudy, part))),
    all(parts.map((part) => hasWord(ofPatient, part))),
    ...(number === null ? [] : [hasNumber(numberOfPatient, number)]),
  ]);

/** Entries of both indexes for the first part of a word. */
const entriesOf = (customerId: string, { parts: [first = ''], number }: SearchTerm) => {
  const named = sql`select patient_id from patient_word where customer_id = ${customerId} and place in (0, 1) and ${startsWith(word, first)}`;
  const numbered = sql`select patient_id from patient_word where customer_id = ${customerId} and place = 2 and ${startsWith(word, number ?? '')}`;
  return {
    studies: sql`select study_id from study_word where customer_id = ${customerId} and ${startsWith(word, first)}`,
    patients: number === null ? named : sql`${named} union all ${numbered}`,
  };
};

/** Returns the word with the fewest entries; null when all have so many that scanning the newest studies is faster. */
const rarest = async (
  db: Kysely<Schema>,
  customerId: string,
  typed: readonly SearchTerm[],
): Promise<SearchTerm | null> => {
  const counts = typed.map((one) => {
    const { studies, patients } = entriesOf(customerId, one);
    return sql`row((select count(*) from (${studies} limit ${countLimit + 1}) as studies),
      (select count(*) from (${patients} limit ${maxPatients + 1}) as patients))`;
  });
  const selected = counts.map((count) => sql`select to_jsonb(${count}) as counted`);
  const { rows } = await sql<{ counted: { f1: number; f2: number } }>`${sql.join(selected, sql` union all `)}`.execute(
    db,
  );
  const few = typed.flatMap((one, at) => {
    const { f1: studies = 0, f2: patients = 0 } = rows[at]?.counted ?? {};
    return studies <= countLimit && patients <= maxPatients ? [{ one, weight: studies + 4 * patients }] : [];
  });
  few.sort((a, b) => a.weight - b.weight);
  return few[0]?.one ?? null;
};

interface Hit {
  readonly id: string;
  readonly day: string;
}

/**
 * Returns a page of a clinic's studies, newest first: those in which every search word is a prefix of a word in description, accession number,
 * patient name or number. `from` and `to` bound the study date. When each word matches very many studies nothing is counted: the total is what
 * is known so far.
 * @throws ProblemError 'invalid-request' when `after` is not a cursor of this search
 */
export const searchStudies = async (
  db: Kysely<Schema>,
  cursors: ListCursors,
  query: Omit<PatientSearch, 'language'>,
): Promise<FoundPage> => {
  const { customerId, q, page, ppage, from, to, after } = query;
  const typed = searchTerms(q);
  if (typed.length === 0 && q.trim() !== '') return { ids: [], totalCount: 0, isTotalExact: true, next: null };
  const list = JSON.stringify(['studies', customerId, query.seesProtected, from ?? '', to ?? '', typed]);
  const cursor = after === undefined ? null : cursors.open(list, after);
  const driver = typed.length === 0 ? null : await rarest(db, customerId, typed);
  const studied = isWithin(sql`study.study_date`, query);
  const ofThePresent = sql<boolean>`patient.deleted_at is null`;
  const conditions = [
    sql<boolean>`study.customer_id = ${customerId}`,
    sql<boolean>`study.deleted_at is null`,
    ofThePresent,
    ...(studied ? [studied] : []),
    ...isListable(sql<string>`study.patient_id`, query, numbersIn(typed)),
    ...typed.map(isFound),
  ];
  const entries = driver && entriesOf(customerId, driver);
  const few = entries
    ? sql`(${entries.studies} union select id from study where patient_id in (${entries.patients}) and deleted_at is null) as few
        join study on study.id = few.study_id`
    : sql`study`;
  const found = sql`${few} join patient on patient.id = study.patient_id where ${all(conditions)}`;
  const seen = cursor ? Number(cursor[2]) : (page - 1) * ppage;
  const beyond = cursor ? sql`and (${day}, study.id) < (${cursor[0]}::date, ${cursor[1]}::uuid)` : sql``;
  const pageOfHits = sql<Hit>`select study.id, ${day}::text as day from ${found} ${beyond}
    order by ${day} desc, study.id desc limit ${ppage + 1} offset ${cursor ? 0 : seen}`.execute(db);
  const countOf = async (rows: RawBuilder<unknown>) => {
    const counted = sql<{
      total: number;
    }>`select count(*) as total from (select 1 from ${rows} limit ${countLimit + 1}) as counted`;
    return (await counted.execute(db)).rows[0]?.total ?? 0;
  };
  // An index-only scan detects a clinic with too many matches; looking up their patients would take a second.
  const ofClinic = sql`study where ${all(conditions.filter((condition) => condition !== ofThePresent))}`;
  const count = async (): Promise<number | null> => {
    if (driver) return countOf(found);
    if (typed.length > 0) return null;
    const ofAllPatients = await countOf(ofClinic);
    return ofAllPatients > countLimit ? ofAllPatients : countOf(found);
  };
  const [{ rows: hits }, counted] = await Promise.all([pageOfHits, count()]);
  const rows = hits.slice(0, ppage);
  const hasMore = hits.length > ppage;
  const known = seen + hits.length;
  const total = counted ?? known;
  const last = rows.at(-1);
  return {
    ids: rows.map(({ id }) => id),
    totalCount: Math.min(total, countLimit),
    isTotalExact: counted === null ? !hasMore : total <= countLimit,
    next: hasMore && last ? cursors.seal(list, [last.day, last.id, seen + rows.length]) : null,
  };
};
