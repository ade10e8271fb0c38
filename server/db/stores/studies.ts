import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema, SeriesTable, StudyTable } from '../schema.ts';
import { studySearchText } from './study-search-text.ts';

export type StudyRow = Selectable<StudyTable>;
export type SeriesRow = Selectable<SeriesTable>;

/** Returns the studies of a patient, newest first. */
export const studiesOfPatient = async (
  db: Kysely<Schema>,
  patientId: string,
  page: { readonly page: number; readonly ppage: number },
): Promise<{ rows: StudyRow[]; total: number }> => {
  const studies = db.selectFrom('study').where('patient_id', '=', patientId).where('deleted_at', 'is', null);
  const [rows, counted] = await Promise.all([
    studies
      .selectAll()
      .orderBy('study_date', (order) => order.desc().nullsLast())
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(page.ppage)
      .offset((page.page - 1) * page.ppage)
      .execute(),
    studies.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: Number(counted.total) };
};

/** Returns a study that is not deleted. */
export const findStudy = (db: Kysely<Schema>, id: string): Promise<StudyRow | undefined> =>
  db.selectFrom('study').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();

export const seriesOfStudies = async (db: Kysely<Schema>, studyIds: readonly string[]): Promise<SeriesRow[]> => {
  if (studyIds.length === 0) return [];
  return db
    .selectFrom('series')
    .selectAll()
    .where('study_id', 'in', studyIds)
    .where('deleted_at', 'is', null)
    .orderBy('number', (order) => order.asc().nullsLast())
    .orderBy('uid')
    .execute();
};

/** Returns the study of a clinic with this Study Instance UID, deleted or not. */
export const findStudyByUid = (db: Kysely<Schema>, customerId: string, uid: string) =>
  db
    .selectFrom('study')
    .select(['id', 'patient_id', 'deleted_at'])
    .where('customer_id', '=', customerId)
    .where('uid', '=', uid)
    .executeTakeFirst();

/** Returns the id of a patient's study with this UID, deleted or not. */
export const findStudyOfPatient = async (
  db: Kysely<Schema>,
  { customerId, patientId, uid }: Pick<NewStudy, 'customerId' | 'patientId' | 'uid'>,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom('study')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('uid', '=', uid)
    .where('patient_id', '=', patientId)
    .executeTakeFirst();
  return row?.id;
};

/** Returns the study of a clinic with this UID as the target of an import, if it is not deleted. */
export const findStudyToImportInto = (db: Kysely<Schema>, customerId: string, uid: string) =>
  db
    .selectFrom('study')
    .select(['uid', 'study_date', 'description'])
    .where('customer_id', '=', customerId)
    .where('uid', '=', uid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** Returns a study as the target of a move, deleted or not. */
export const findStudyToFill = (db: Kysely<Schema>, id: string) =>
  db
    .selectFrom('study')
    .select(['customer_id', 'patient_id', 'deleted_at', 'deleted_by'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Returns the studies of a clinic with these Study Instance UIDs, deleted or not, each with its individually deleted series. */
export const findStudiesByUids = async (db: Kysely<Schema>, customerId: string, uids: readonly string[]) => {
  if (uids.length === 0) return [];
  return db
    .selectFrom('study')
    .innerJoin('patient', 'patient.id', 'study.patient_id')
    .select(['study.uid', 'study.patient_id', 'study.deleted_at', 'patient.deleted_at as patient_deleted_at'])
    .select(
      sql<string[]>`array(select uid from series where study_id = study.id and deleted_at is not null)`.as(
        'deleted_series',
      ),
    )
    .select(
      sql<boolean>`exists (select from image join series on series.id = image.series_id
        where series.study_id = study.id and image.deleted_at is null and series.deleted_at is null)`.as(
        'shows_images',
      ),
    )
    .where('study.customer_id', '=', customerId)
    .where('study.uid', 'in', uids)
    .execute();
};

/** Returns series that were moved as a whole out of these studies, by their original UIDs, with their current location. */
export const seriesMovedFrom = async (db: Kysely<Schema>, customerId: string, studyUids: readonly string[]) => {
  if (studyUids.length === 0) return [];
  return (
    db
      .selectFrom('series')
      .innerJoin('study', 'study.id', 'series.study_id')
      .select(['series.origin_study_uid', 'series.uid', 'series.deleted_at', 'study.uid as study_uid'])
      .select(['study.patient_id', 'study.deleted_at as study_deleted_at'])
      .where('series.origin_study_uid', 'in', studyUids)
      // A single moved image gets a series with another UID; the rest of its series stayed.
      .whereRef('series.uid', '=', 'series.origin_series_uid')
      .where('study.customer_id', '=', customerId)
      .execute()
  );
};

export interface NewStudy {
  readonly customerId: string;
  readonly patientId: string;
  readonly uid: string;
  readonly description: string;
  /** `YYYY-MM-DD` */
  readonly studyDate: string | null;
  readonly accessionNumber: string | null;
}

/** Returns the id of the study with this UID; creates or restores it as needed. */
export const ensureStudy = async (db: Kysely<Schema>, study: NewStudy): Promise<{ id: string; patientId: string }> => {
  const row = await db
    .insertInto('study')
    .values({
      id: randomUUID(),
      customer_id: study.customerId,
      patient_id: study.patientId,
      uid: study.uid,
      description: study.description,
      study_date: study.studyDate,
      accession_number: study.accessionNumber,
      search_text: studySearchText(study),
    })
    .onConflict((conflict) =>
      conflict.columns(['customer_id', 'uid']).doUpdateSet({ deleted_at: null, deleted_by: null }),
    )
    .returning(['id', 'patient_id'])
    .executeTakeFirstOrThrow();
  return { id: row.id, patientId: row.patient_id };
};

export interface NewSeries {
  readonly studyId: string;
  readonly uid: string;
  readonly modality: string;
  readonly number: number | null;
  readonly description: string | null;
}

/** Returns the id of the series with this UID; creates or restores it as needed. */
export const ensureSeries = async (db: Kysely<Schema>, series: NewSeries): Promise<string> => {
  const values = {
    id: randomUUID(),
    study_id: series.studyId,
    uid: series.uid,
    modality: series.modality,
    number: series.number,
    description: series.description,
  };
  const { id } = await db
    .insertInto('series')
    .values(values)
    // Restored if deleted, as the study, because a user imports into it.
    .onConflict((conflict) => conflict.columns(['study_id', 'uid']).doUpdateSet({ deleted_at: null, deleted_by: null }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};
