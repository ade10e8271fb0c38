import { type RawBuilder, sql } from 'kysely';
import type { DicomJson } from '../../../dicom/dicom-json.ts';
import {
  type Condition,
  type IndexEntries,
  type KeyMatch,
  ofBirthDate,
  ofDay,
  ofDayText,
  ofFuzzyPatientName,
  ofNumber,
  ofPatientId,
  ofPatientName,
  ofStudyWords,
  ofText,
  ofTexts,
  ofTime,
  ofUids,
} from './dicomweb-matching.ts';
import { all } from './search-terms.ts';

export const dicomWebLevels = ['study', 'series', 'instance'] as const;
export type DicomWebLevel = (typeof dicomWebLevels)[number];

const oldestOf = (where: RawBuilder<unknown>) => sql<DicomJson | null>`(
  select of_image.dicom_attributes from series as of_series join image as of_image on of_image.series_id = of_series.id
  where ${where} and of_series.deleted_at is null and of_image.deleted_at is null and of_image.dicom_attributes is not null
  order by of_image.created_at, of_series.number, of_image.number, of_image.id limit 1)`;
/** Attributes of the image, or of the first image of the series or study that arrived. */
export const attributesOf: Readonly<Record<DicomWebLevel, RawBuilder<DicomJson | null>>> = {
  study: oldestOf(sql`of_series.study_id = study.id`),
  series: oldestOf(sql`of_series.id = series.id`),
  instance: sql`image.dicom_attributes`,
};

/** A value of attributes, written as in the indexes of images. */
const valueIn = (attributes: RawBuilder<DicomJson | null>, path: string): RawBuilder<string | null> =>
  sql`((${attributes} #>> ${sql.lit(`{${path}}`)}) collate "C")`;
const stated = (level: DicomWebLevel, path: string) => valueIn(attributesOf[level], path);

const studiesOfImages = sql`select series.study_id from image join series on series.id = image.series_id`;

/** The attribute of a study is that of one of its images, which the index of this attribute has. */
const ofStudyAttribute = (
  { customerId }: KeySearch,
  path: string,
  matching: (column: RawBuilder<string | null>) => Condition,
): KeyMatch => {
  const ids = sql`${studiesOfImages} where image.customer_id = ${customerId} and ${matching(valueIn(sql`image.dicom_attributes`, path))}`;
  // A range compares the value twice, and it is looked up once.
  const isMatch = sql<boolean>`(select ${matching(sql`value`)} from (select ${stated('study', path)} as value offset 0) as of_study)`;
  return { of: 'study', isMatch, needsOnlyId: true, entries: [{ of: 'study', ids, isSlow: true }] };
};

/** As in the index `study_list`. */
export const listedDay = sql<string>`coalesce(study.study_date, '-infinity'::date)`;

/** A subquery that gives a value is evaluated one study after the other, until the page is full. */
const visibleSeries = (condition: Condition) => sql<boolean>`(
  select true from series as of_series join image as of_image on of_image.series_id = of_series.id
  where of_series.study_id = study.id and of_series.deleted_at is null and of_image.deleted_at is null and ${condition} limit 1)`;

const studiesWithModality = (value: string): IndexEntries => ({
  of: 'study',
  ids: sql`select series.study_id from series where ${ofTexts(sql`series.modality`, value)}`,
});

export interface KeySearch {
  readonly customerId: string;
  readonly isFuzzy: boolean;
}

/** The UIDs in the path of a search. */
export interface ResourcePath {
  readonly studyUid?: string | undefined;
  readonly seriesUid?: string | undefined;
}

/** `from`: a query for ids of studies, with the table of the condition. */
const ofUid = (of: KeyMatch['of'], isMatch: Condition, from: RawBuilder<unknown>): KeyMatch => ({
  of,
  isMatch,
  entries: [{ of: 'study', ids: sql`${from} where ${isMatch}` }],
});

type Matching = (value: string, search: KeySearch) => KeyMatch;

const plain =
  (of: KeyMatch['of'], matching: (value: string) => Condition): Matching =>
  (value) => ({ of, isMatch: matching(value), entries: [] });

const ofStudies: Readonly<Record<string, Matching>> = {
  '00080020': plain('study', (value) => all([sql`study.study_date is not null`, ofDay(listedDay, value)])),
  '00080030': (value, search) => ofStudyAttribute(search, '00080030,Value,0', (column) => ofTime(column, value)),
  '00080050': (value, { customerId }) => ofStudyWords(customerId, sql`study.accession_number`, value),
  '00080061': (value) => ({
    of: 'study',
    isMatch: visibleSeries(ofTexts(sql`of_series.modality`, value)),
    entries: [studiesWithModality(value)],
  }),
  '00080090': (value, search) =>
    ofStudyAttribute(search, '00080090,Value,0,Alphabetic', (column) => ofText(column, value)),
  '00081030': (value, { customerId }) => ofStudyWords(customerId, sql`study.description`, value),
  '00100010': (value, { customerId, isFuzzy }) =>
    isFuzzy ? ofFuzzyPatientName(customerId, value) : ofPatientName(customerId, value),
  '00100020': (value, { customerId }) => ofPatientId(customerId, value),
  '00100030': (value, { customerId }) => ofBirthDate(customerId, value),
  '00100040': plain('patient', (value) => ofText(sql`patient.sex`, value)),
  '0020000D': (value) => ofUid('study', ofUids(sql`study.uid`, value), sql`select id from study`),
  '00200010': (value, search) => ofStudyAttribute(search, '00200010,Value,0', (column) => ofText(column, value)),
};

const ofSeries: Readonly<Record<string, Matching>> = {
  '00080021': plain('series', (value) => ofDayText(stated('series', '00080021,Value,0'), value)),
  '00080031': plain('series', (value) => ofTime(stated('series', '00080031,Value,0'), value)),
  '00080060': (value) => ({
    of: 'series',
    isMatch: ofTexts(sql`series.modality`, value),
    entries: [studiesWithModality(value)],
  }),
  '0008103E': plain('series', (value) => ofText(sql`series.description`, value)),
  '0020000E': (value) => ofUid('series', ofUids(sql`series.uid`, value), sql`select study_id from series`),
  '00200011': plain('series', (value) => ofNumber(sql`series.number`, value)),
  '00400244': plain('series', (value) => ofDayText(stated('series', '00400244,Value,0'), value)),
  '00400245': plain('series', (value) => ofTime(stated('series', '00400245,Value,0'), value)),
};

const ofInstances: Readonly<Record<string, Matching>> = {
  '00080016': plain('image', (value) => ofUids(sql`image.sop_class_uid`, value)),
  '00080018': (value) => ofUid('image', ofUids(sql`image.sop_instance_uid`, value), studiesOfImages),
  '00200013': plain('image', (value) => ofNumber(sql`image.number`, value)),
};

const matchingOf: Readonly<Record<DicomWebLevel, Readonly<Record<string, Matching>>>> = {
  study: ofStudies,
  series: { ...ofStudies, ...ofSeries },
  instance: { ...ofStudies, ...ofSeries, ...ofInstances },
};

/** Returns whether a search of this level matches the attribute. */
export const isMatched = (level: DicomWebLevel, tag: string): boolean => tag in matchingOf[level];

/** Returns how the keys of a search are matched. @throws ProblemError 'invalid-request' */
export const keyMatches = (
  level: DicomWebLevel,
  keys: ReadonlyMap<string, string>,
  search: KeySearch,
): readonly KeyMatch[] => [...keys].flatMap(([tag, value]) => matchingOf[level][tag]?.(value, search) ?? []);

/** Returns how the UIDs of a path are matched. */
export const pathMatches = ({ studyUid, seriesUid }: ResourcePath): readonly KeyMatch[] => [
  ...(studyUid === undefined ? [] : [ofUid('study', sql`study.uid = ${studyUid}`, sql`select id from study`)]),
  ...(seriesUid === undefined
    ? []
    : [ofUid('series', sql`series.uid = ${seriesUid}`, sql`select study_id from series`)]),
];
