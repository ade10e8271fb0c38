import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DicomJson } from '../../../dicom/dicom-json.ts';
import { searchKey } from '../../domain/search-key.ts';
import type { Schema } from '../schema.ts';
import { type ChosenEntries, fewestEntries, isLookedUp, maxCollected } from './dicomweb-entries.ts';
import { attributesOf, type DicomWebLevel, keyMatches, listedDay, pathMatches } from './dicomweb-keys.ts';
import type { Condition, IndexEntries, KeyMatch } from './dicomweb-matching.ts';
import { isListable } from './listable-patients.ts';
import { all } from './search-terms.ts';

export interface DicomWebSearch {
  readonly customerId: string;
  readonly seesProtected: boolean;
  readonly level: DicomWebLevel;
  /** Of the path. */
  readonly studyUid?: string | undefined;
  readonly seriesUid?: string | undefined;
  /** Values to match by tag (`0020000D`), none of them empty; unknown tags are ignored. */
  readonly keys: ReadonlyMap<string, string>;
  readonly isFuzzy: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** A study, a series with its study, or an instance with both. Fields of lower levels are null. */
export interface DicomWebMatch {
  readonly patient_id: string;
  readonly study_id: string;
  readonly personal_number: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly birth_date: string | null;
  readonly sex: string | null;
  readonly study_uid: string;
  readonly study_date: string | null;
  readonly description: string;
  readonly accession_number: string | null;
  readonly modalities: readonly string[];
  readonly study_series: number;
  readonly study_instances: number;
  readonly series_uid: string | null;
  readonly modality: string | null;
  readonly series_number: number | null;
  readonly series_description: string | null;
  readonly series_instances: number | null;
  readonly sop_instance_uid: string | null;
  readonly sop_class_uid: string | null;
  readonly number: number | null;
  readonly rows: number | null;
  readonly columns: number | null;
  readonly frames: number | null;
  readonly is_image: boolean | null;
  /** Attributes of the image, or of the first image of the series or study that arrived. */
  readonly attributes: DicomJson | null;
}

/** Only who knows a record has its UID, so a protected identity hides nothing that is named by one. */
const namesRecord = ({ studyUid, keys }: DicomWebSearch): boolean =>
  studyUid !== undefined || ['0020000D', '0020000E', '00080018'].some((tag) => keys.has(tag));

const listable = (search: DicomWebSearch): readonly Condition[] => {
  if (namesRecord(search)) return [];
  const number = searchKey(search.keys.get('00100020') ?? '').replaceAll(' ', '');
  return isListable(sql<string>`study.patient_id`, search, number === '' ? [] : [number]);
};

const listOrder = sql`${listedDay} desc, study.id desc`;

const isEntryOf = ({ of, ids }: IndexEntries): Condition =>
  of === 'patient' ? sql`patient_id in (${ids})` : sql`id in (${ids})`;

/** Among which studies matches are looked for: those of some entries, or the newest ones; without both among all. */
interface Studies {
  readonly entries: ChosenEntries | null;
  readonly newest: number | null;
}

/** What is compared for each study of a list before the study is read. `is true` makes PostgreSQL collect the ids once. */
const whileWalking = (matches: readonly KeyMatch[], entries: ChosenEntries | null): readonly Condition[] => {
  if (entries === null) return matches.flatMap(({ needsOnlyId, isMatch }) => (needsOnlyId ? [isMatch] : []));
  const id = entries.of === 'patient' ? sql`study.patient_id` : sql`study.id`;
  return [sql<boolean>`(${id} in (select * from (${entries.ids} limit ${maxCollected}) as entries)) is true`];
};

/** The studies of a clinic in the order of its list, all of them or those of some entries. */
const studiesInOrder = (
  search: DicomWebSearch,
  matches: readonly KeyMatch[],
  { entries, newest }: Studies,
): RawBuilder<unknown> => {
  const { customerId } = search;
  const isOpen = sql`customer_id = ${customerId} and deleted_at is null
    and (select deleted_at is null from customer where id = ${customerId}::uuid)`;
  const listed = sql`select study.id, study.patient_id, ${listedDay} as day from study where ${isOpen}`;
  const isLooked = entries !== null && isLookedUp(entries, search);
  const first = isLooked ? [] : whileWalking(matches, entries);
  if (!isLooked && first.length === 0) return sql`select study.* from study where ${isOpen} order by ${listOrder}`;
  // In order by values of an index before any study is read.
  const ids = isLooked
    ? sql`${listed} and ${isEntryOf(entries)} order by day desc, id desc`
    : sql`select id, day from (${listed} order by ${listOrder} limit ${newest}) as study where ${all(first)}`;
  return sql`select study.* from (${ids}) as listed
    cross join lateral (select * from study where id = listed.id offset 0) as study order by listed.day desc, listed.id desc`;
};

const visibleImage = sql`image.series_id = series.id and image.deleted_at is null`;

const joinedImages = (level: DicomWebLevel): RawBuilder<unknown> =>
  level === 'instance' ? sql`join image on ${visibleImage}` : sql``;

/** What the series, or images, of a study must be. */
const isWithinStudy = (level: DicomWebLevel, matches: readonly KeyMatch[]): readonly Condition[] => [
  sql<boolean>`series.deleted_at is null`,
  ...(level === 'instance' ? [] : [sql<boolean>`exists (select from image where ${visibleImage})`]),
  ...matches.flatMap(({ of, isMatch }) => (of === 'series' || of === 'image' ? [isMatch] : [])),
];

/** What a study must be. Subqueries that give a value are evaluated one study after the other, until the page is full. */
const isFound = (search: DicomWebSearch, matches: readonly KeyMatch[]): Condition => {
  const of = (table: KeyMatch['of']) => matches.flatMap((match) => (match.of === table ? [match.isMatch] : []));
  return all([
    ...of('study'),
    ...listable(search),
    sql<boolean>`(select ${all([sql`patient.deleted_at is null`, ...of('patient')])} from patient where patient.id = study.patient_id)`,
    sql<boolean>`(select true from series ${joinedImages(search.level)}
      where series.study_id = study.id and ${all(isWithinStudy(search.level, matches))} limit 1)`,
  ]);
};

/** Newest study first. */
const order = (level: DicomWebLevel): RawBuilder<unknown> =>
  sql`order by ${listOrder}
    ${level === 'study' ? sql`` : sql`, series.number nulls last, series.id`}
    ${level === 'instance' ? sql`, image.number nulls last, image.id` : sql``}`;

const nothing = (...names: string[]) => sql.join(names.map((name) => sql`null as ${sql.id(name)}`));

const presentImages = sql`image as of_image on of_image.series_id = of_series.id
  and of_series.deleted_at is null and of_image.deleted_at is null`;

/** Counts of each study and series of the page, once: a page may hold thousands of instances of one series. */
const factsOfPage = (level: DicomWebLevel): RawBuilder<unknown> => sql`
  of_study as (select of_series.study_id, array_agg(distinct of_series.modality order by of_series.modality) as modalities,
      count(distinct of_series.id) as study_series, count(*) as study_instances
    from series as of_series join ${presentImages}
    where of_series.study_id in (select study_id from page) group by of_series.study_id)
  ${
    level === 'study'
      ? sql``
      : sql`, of_one as (select of_series.id as series_id, count(*) as series_instances
          from series as of_series join ${presentImages}
          where of_series.id in (select series_id from page) group by of_series.id)`
  }`;

const columns = (level: DicomWebLevel): RawBuilder<unknown> => sql`
  study.patient_id, study.id as study_id, patient.personal_number, patient.first_name, patient.last_name, patient.birth_date, patient.sex,
  study.uid as study_uid, study.study_date, study.description, study.accession_number,
  of_study.modalities, of_study.study_series, of_study.study_instances,
  ${
    level === 'study'
      ? nothing('series_uid', 'modality', 'series_number', 'series_description', 'series_instances')
      : sql`series.uid as series_uid, series.modality, series.number as series_number, series.description as series_description,
          of_one.series_instances`
  },
  ${
    level === 'instance'
      ? sql`image.sop_instance_uid, image.sop_class_uid, image.number, image.rows, image.columns, image.frames, image.kind = 'image' as is_image`
      : nothing('sop_instance_uid', 'sop_class_uid', 'number', 'rows', 'columns', 'frames', 'is_image')
  },
  ${attributesOf[level]} as attributes`;

const rowsOfPage = (level: DicomWebLevel): RawBuilder<unknown> => sql`
  from page join study on study.id = page.study_id join patient on patient.id = study.patient_id
  join of_study on of_study.study_id = study.id
  ${level === 'study' ? sql`` : sql`join series on series.id = page.series_id join of_one on of_one.series_id = series.id`}
  ${level === 'instance' ? sql`join image on image.id = page.image_id` : sql``}`;

const idsOf: Readonly<Record<DicomWebLevel, RawBuilder<unknown>>> = {
  study: sql`study.id as study_id`,
  series: sql`study.id as study_id, series.id as series_id`,
  instance: sql`study.id as study_id, series.id as series_id, image.id as image_id`,
};

/** Matches beyond the page are counted up to this number. */
const countedBeyond = 50;

/** The ids of a page of matches and of those counted beyond it, in order. */
const matchedIds = (search: DicomWebSearch, matches: readonly KeyMatch[], among: Studies): RawBuilder<unknown> => {
  const { level, limit, offset } = search;
  const wanted = limit + countedBeyond;
  const studies = (columns: RawBuilder<unknown>, first: number, skipped: number) =>
    sql`select ${columns} from (${studiesInOrder(search, matches, among)}) as study where ${isFound(search, matches)}
      limit ${first} offset ${skipped}`;
  if (level === 'study') return studies(idsOf.study, wanted, offset);
  // Each study has at least one of the series or images, so this many are enough.
  return sql`select ${idsOf[level]} from (${studies(sql`study.*`, offset + wanted, 0)}) as study
    join series on series.study_id = study.id ${joinedImages(level)}
    where ${all(isWithinStudy(level, matches))} ${order(level)} limit ${wanted} offset ${offset}`;
};

/** So many are compared in a moment. Where they have no page of matches, counting the entries of an index is worth its time. */
const newestStudies = 2_000;

interface Page {
  readonly matches: readonly DicomWebMatch[];
  /** Matches of the page and beyond it, as far as they are counted. */
  readonly total: number;
}

const readPage = async (
  db: Kysely<Schema>,
  { level, limit }: DicomWebSearch,
  ids: RawBuilder<unknown>,
): Promise<Page> => {
  if (limit === 0) {
    const query = sql<{ total: number }>`select count(*)::integer as total from (${ids}) as matched`;
    const { rows } = await query.execute(db);
    return { matches: [], total: rows[0]?.total ?? 0 };
  }
  const { rows } = await sql<DicomWebMatch & { total: number }>`
    with matched as materialized (${ids}), page as materialized (select * from matched limit ${limit}), ${factsOfPage(level)}
    select ${columns(level)}, (select count(*)::integer from matched) as total ${rowsOfPage(level)} ${order(level)}`.execute(
    db,
  );
  return { matches: rows.map(({ total: _, ...match }) => match), total: rows[0]?.total ?? 0 };
};

/** The first page may be among the newest studies, where a value is frequent that no index counts fast. */
const pageOfNewest = async (
  db: Kysely<Schema>,
  search: DicomWebSearch,
  matches: readonly KeyMatch[],
): Promise<Page | null> => {
  const page = await readPage(db, search, matchedIds(search, matches, { entries: null, newest: newestStudies }));
  return page.total === search.limit + countedBeyond ? page : null;
};

/**
 * Returns a page of the studies, series or instances of a clinic that match all keys, newest study first, and how many follow, at most 50.
 * @throws ProblemError 'invalid-request' for a date, time or number that is none
 */
export const searchDicomWeb = async (
  db: Kysely<Schema>,
  search: DicomWebSearch,
): Promise<{ readonly matches: readonly DicomWebMatch[]; readonly remaining: number }> => {
  const matches = [...pathMatches(search), ...keyMatches(search.level, search.keys, search)];
  const isSlow = matches.some(({ entries }) => entries.some((one) => one.isSlow));
  let entries = await fewestEntries(db, matches, !isSlow);
  const newest = isSlow && entries === null ? await pageOfNewest(db, search, matches) : null;
  if (isSlow && !newest) entries ??= await fewestEntries(db, matches, true);
  const page = newest ?? (await readPage(db, search, matchedIds(search, matches, { entries, newest: null })));
  return { matches: page.matches, remaining: Math.max(0, page.total - search.limit) };
};
