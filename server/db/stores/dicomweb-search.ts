import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DicomJson } from '../../../dicom/dicom-json.ts';
import { searchKey } from '../../domain/search-key.ts';
import type { Schema } from '../schema.ts';
import {
  ofAccession,
  ofDay,
  ofDayText,
  ofFuzzyPatientName,
  ofNumber,
  ofPatientId,
  ofPatientName,
  ofText,
  ofTexts,
  ofTime,
  ofUids,
} from './dicomweb-matching.ts';
import { isListable } from './listable-patients.ts';
import { all } from './search-terms.ts';

export const dicomWebLevels = ['study', 'series', 'instance'] as const;
export type DicomWebLevel = (typeof dicomWebLevels)[number];

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

type Condition = RawBuilder<boolean>;

const oldestOf = (where: RawBuilder<unknown>) => sql<DicomJson | null>`(
  select of_image.dicom_attributes from series as of_series join image as of_image on of_image.series_id = of_series.id
  where ${where} and of_series.deleted_at is null and of_image.deleted_at is null and of_image.dicom_attributes is not null
  order by of_image.created_at, of_series.number, of_image.number, of_image.id limit 1)`;
const attributesOf: Readonly<Record<DicomWebLevel, RawBuilder<DicomJson | null>>> = {
  study: oldestOf(sql`of_series.study_id = study.id`),
  series: oldestOf(sql`of_series.id = series.id`),
  instance: sql`image.dicom_attributes`,
};

const stated = (level: DicomWebLevel, path: string): RawBuilder<string | null> =>
  sql`(${attributesOf[level]} #>> ${`{${path}}`}::text[])`;

/** A study is found by its visible images alone. */
const hasImage = (series: RawBuilder<unknown>) => sql<boolean>`exists (
  select from series as of_series join image as of_image on of_image.series_id = of_series.id
  where ${series} and of_series.deleted_at is null and of_image.deleted_at is null)`;

type Matching = (value: string, search: DicomWebSearch) => Condition;

const ofStudies: Readonly<Record<string, Matching>> = {
  '00080020': (value) => ofDay(sql`study.study_date`, value),
  '00080030': (value) => ofTime(stated('study', '00080030,Value,0'), value),
  '00080050': (value, { customerId }) => ofAccession(customerId, value),
  '00080061': (
    value,
  ) => sql`exists (select from series as of_series join image as of_image on of_image.series_id = of_series.id
    where of_series.study_id = study.id and of_series.deleted_at is null and of_image.deleted_at is null
      and ${ofTexts(sql`of_series.modality`, value)})`,
  '00080090': (value) => ofText(stated('study', '00080090,Value,0,Alphabetic'), value),
  '00081030': (value) => ofText(sql`study.description`, value),
  '00100010': (value, { customerId, isFuzzy }) =>
    isFuzzy ? ofFuzzyPatientName(customerId, value) : ofPatientName(customerId, value),
  '00100020': (value, { customerId }) => ofPatientId(customerId, value),
  '00100030': (value) => ofDay(sql`patient.birth_date`, value),
  '00100040': (value) => ofText(sql`patient.sex`, value),
  '0020000D': (value) => ofUids(sql`study.uid`, value),
  '00200010': (value) => ofText(stated('study', '00200010,Value,0'), value),
};

const ofSeries: Readonly<Record<string, Matching>> = {
  '00080021': (value) => ofDayText(stated('series', '00080021,Value,0'), value),
  '00080031': (value) => ofTime(stated('series', '00080031,Value,0'), value),
  '00080060': (value) => ofTexts(sql`series.modality`, value),
  '0008103E': (value) => ofText(sql`series.description`, value),
  '0020000E': (value) => ofUids(sql`series.uid`, value),
  '00200011': (value) => ofNumber(sql`series.number`, value),
  '00400244': (value) => ofDayText(stated('series', '00400244,Value,0'), value),
  '00400245': (value) => ofTime(stated('series', '00400245,Value,0'), value),
};

const ofInstances: Readonly<Record<string, Matching>> = {
  '00080016': (value) => ofUids(sql`image.sop_class_uid`, value),
  '00080018': (value) => ofUids(sql`image.sop_instance_uid`, value),
  '00200013': (value) => ofNumber(sql`image.number`, value),
};

const matchingOf: Readonly<Record<DicomWebLevel, Readonly<Record<string, Matching>>>> = {
  study: ofStudies,
  series: { ...ofStudies, ...ofSeries },
  instance: { ...ofStudies, ...ofSeries, ...ofInstances },
};

/** Returns whether a search of this level matches the attribute. */
export const isMatched = (level: DicomWebLevel, tag: string): boolean => tag in matchingOf[level];

/** Only who knows a record has its UID, so a protected identity hides nothing that is named by one. */
const namesRecord = ({ studyUid, keys }: DicomWebSearch): boolean =>
  studyUid !== undefined || ['0020000D', '0020000E', '00080018'].some((tag) => keys.has(tag));

const listable = (search: DicomWebSearch): readonly Condition[] => {
  if (namesRecord(search)) return [];
  const number = searchKey(search.keys.get('00100020') ?? '').replaceAll(' ', '');
  return isListable(sql<string>`study.patient_id`, search, number === '' ? [] : [number]);
};

const isPresent = (...tables: string[]): Condition[] =>
  tables.map((table) => sql<boolean>`${sql.ref(`${table}.deleted_at`)} is null`);

/** `from ... where ...` of the matches. */
const matching = (search: DicomWebSearch): RawBuilder<unknown> => {
  const { customerId, level, studyUid, seriesUid, keys } = search;
  const wanted = [...keys].flatMap(([tag, value]) => matchingOf[level][tag]?.(value, search) ?? []);
  const conditions = [
    sql<boolean>`study.customer_id = ${customerId}`,
    ...isPresent('customer', 'study', 'patient'),
    ...(studyUid === undefined ? [] : [sql<boolean>`study.uid = ${studyUid}`]),
    ...(seriesUid === undefined ? [] : [sql<boolean>`series.uid = ${seriesUid}`]),
    ...(level === 'study' ? [hasImage(sql`of_series.study_id = study.id`)] : isPresent('series')),
    ...(level === 'series' ? [hasImage(sql`of_series.id = series.id`)] : []),
    ...(level === 'instance' ? isPresent('image') : []),
    ...listable(search),
    ...wanted,
  ];
  return sql`from study join patient on patient.id = study.patient_id join customer on customer.id = study.customer_id
    ${level === 'study' ? sql`` : sql`join series on series.study_id = study.id`}
    ${level === 'instance' ? sql`join image on image.series_id = series.id` : sql``}
    where ${all(conditions)}`;
};

/** As in the index `study_list`, newest study first. */
const order = (level: DicomWebLevel): RawBuilder<unknown> =>
  sql`order by coalesce(study.study_date, '-infinity'::date) desc, study.id desc
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
const countedBeyond = 200;

/**
 * Returns a page of the studies, series or instances of a clinic that match all keys, newest study first, and how many follow, at most 200.
 * @throws ProblemError 'invalid-request' for a date, time or number that is none
 */
export const searchDicomWeb = async (
  db: Kysely<Schema>,
  search: DicomWebSearch,
): Promise<{ readonly matches: readonly DicomWebMatch[]; readonly remaining: number }> => {
  const { level, limit, offset } = search;
  const found = matching(search);
  const { rows } = await sql<DicomWebMatch>`
    with page as materialized (select ${idsOf[level]} ${found} ${order(level)} limit ${limit + 1} offset ${offset}),
      ${factsOfPage(level)}
    select ${columns(level)} ${rowsOfPage(level)} ${order(level)}`.execute(db);
  if (rows.length <= limit) return { matches: rows, remaining: 0 };
  const counted = await sql<{ total: number }>`select count(*) as total from (
    select 1 ${found} limit ${countedBeyond} offset ${offset + limit}) as beyond`.execute(db);
  return { matches: rows.slice(0, limit), remaining: counted.rows[0]?.total ?? 1 };
};
