import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Schema, SeriesTable, StudyTable } from '../schema.ts';
import { studySearchText } from './study-search-text.ts';

export type StudyRow = Selectable<StudyTable>;
export type SeriesRow = Selectable<SeriesTable>;

/** The studies of a patient, newest first. */
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

/** A study that is not in the recycle bin. */
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

/** The study of a clinic with this Study Instance UID, in the recycle bin or not. */
export const findStudyByUid = (db: Kysely<Schema>, customerId: string, uid: string) =>
  db
    .selectFrom('study')
    .select(['id', 'patient_id', 'deleted_at'])
    .where('customer_id', '=', customerId)
    .where('uid', '=', uid)
    .executeTakeFirst();

/** The studies of a clinic with these Study Instance UIDs, in the recycle bin or not. */
export const findStudiesByUids = async (db: Kysely<Schema>, customerId: string, uids: readonly string[]) => {
  if (uids.length === 0) return [];
  return db
    .selectFrom('study')
    .select(['uid', 'patient_id'])
    .where('customer_id', '=', customerId)
    .where('uid', 'in', uids)
    .execute();
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

/** The id of the study with this UID; made when the clinic has none, taken out of the recycle bin when it lies there. */
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

/** The id of the series with this UID; made when the study has none, taken out of the recycle bin when it lies there. */
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
    // Out of the recycle bin when it lies there, as the study: who files into it wants to see it.
    .onConflict((conflict) => conflict.columns(['study_id', 'uid']).doUpdateSet({ deleted_at: null }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};
