import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DicomJson } from '../../../dicom/dicom-json.ts';
import { searchKey } from '../../domain/search-key.ts';
import type { Schema } from '../schema.ts';
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

/** Studies are chosen from an index with at most this many entries; with more, walking through all of them finds a page sooner. */
const maxEntries = 20_000;

/** Returns the fewest entries among which all matches are; null when every index has many, or none serves the keys. */
const fewestEntries = async (db: Kysely<Schema>, matches: readonly KeyMatch[]): Promise<IndexEntries | null> => {
  const entries = matches.flatMap((match) => match.entries);
  if (entries.length === 0) return null;
  const counts = entries.map(({ ids }) => sql`(select count(*) from (${ids} limit ${maxEntries + 1}) as entries)`);
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}]::integer[] as counts`.execute(db);
  const counted = entries.map((one, index) => ({ one, count: rows[0]?.counts[index] ?? 0 }));
  const [fewest] = counted.toSorted((one, other) => one.count - other.count);
  return fewest && fewest.count <= maxEntries ? fewest.one : null;
};

const listOrder = sql`${listedDay} desc, study.id desc`;

/** The studies of a clinic in the order of its list, all of them or those of some entries. */
const studiesInOrder = ({ customerId }: DicomWebSearch, entries: IndexEntries | null): RawBuilder<unknown> => {
  const isOpen = sql`customer_id = ${customerId} and deleted_at is null
    and (select deleted_at is null from customer where id = ${customerId}::uuid)`;
  if (entries === null) return sql`select study.* from study where ${isOpen} order by ${listOrder}`;
  const isEntry = entries.of === 'patient' ? sql`patient_id in (${entries.ids})` : sql`id in (${entries.ids})`;
  // Sorted by values of an index before any study is read.
  return sql`select study.* from (select id, ${listedDay} as day from study where ${isOpen} and ${isEntry} order by day desc, id desc) as listed
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
const matchedIds = (
  search: DicomWebSearch,
  matches: readonly KeyMatch[],
  entries: IndexEntries | null,
): RawBuilder<unknown> => {
  const { level, limit, offset } = search;
  const wanted = limit + countedBeyond;
  const studies = (columns: RawBuilder<unknown>, first: number, skipped: number) =>
    sql`select ${columns} from (${studiesInOrder(search, entries)}) as study where ${isFound(search, matches)}
      limit ${first} offset ${skipped}`;
  if (level === 'study') return studies(idsOf.study, wanted, offset);
  // Each study has at least one of the series or images, so this many are enough.
  return sql`select ${idsOf[level]} from (${studies(sql`study.*`, offset + wanted, 0)}) as study
    join series on series.study_id = study.id ${joinedImages(level)}
    where ${all(isWithinStudy(level, matches))} ${order(level)} limit ${wanted} offset ${offset}`;
};

/**
 * Returns a page of the studies, series or instances of a clinic that match all keys, newest study first, and how many follow, at most 50.
 * @throws ProblemError 'invalid-request' for a date, time or number that is none
 */
export const searchDicomWeb = async (
  db: Kysely<Schema>,
  search: DicomWebSearch,
): Promise<{ readonly matches: readonly DicomWebMatch[]; readonly remaining: number }> => {
  const { level, limit } = search;
  const matches = [...pathMatches(search), ...keyMatches(level, search.keys, search)];
  const ids = matchedIds(search, matches, await fewestEntries(db, matches));
  if (limit === 0) {
    const counted = await sql<{ total: number }>`select count(*)::integer as total from (${ids}) as matched`.execute(
      db,
    );
    return { matches: [], remaining: counted.rows[0]?.total ?? 0 };
  }
  const { rows } = await sql<DicomWebMatch & { total: number }>`
    with matched as materialized (${ids}), page as materialized (select * from matched limit ${limit}), ${factsOfPage(level)}
    select ${columns(level)}, (select count(*)::integer from matched) as total ${rowsOfPage(level)} ${order(level)}`.execute(
    db,
  );
  return {
    matches: rows.map(({ total: _, ...match }) => match),
    remaining: Math.max(0, (rows[0]?.total ?? 0) - limit),
  };
};
