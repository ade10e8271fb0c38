import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { FetchFailure, FetchOutcome } from '../../../contract/dicom-fetches.ts';
import type { DicomFetchImageTable, DicomFetchStudyTable } from '../dicom-transfer-tables.ts';
import type { Schema } from '../schema.ts';
import { type DicomFetchRow, withdrawUndecided } from './dicom-fetches.ts';
import { insertTask } from './imports.ts';
import { transferLeases } from './transfer-leases.ts';

export type FetchStudyRow = Selectable<DicomFetchStudyTable>;
export type FetchImageRow = Selectable<DicomFetchImageTable>;

export const fetchLeases = transferLeases('dicom_fetch');

const owned = (db: Kysely<Schema>, id: string, owner: string) =>
  db.updateTable('dicom_fetch').where('id', '=', id).where('lease_owner', '=', owner).where('ended_at', 'is', null);

interface Attempt {
  readonly id: string;
  readonly owner: string;
  readonly failure: FetchFailure;
}

/** Ends a fetch: with a failure, after which nothing more of it is imported, or null when each study has an outcome. */
export const endFetch = (
  db: Kysely<Schema>,
  { id, owner, failure }: Omit<Attempt, 'failure'> & { readonly failure: FetchFailure | null },
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const row = await owned(transaction, id, owner)
      .set({ lease_owner: null, lease_until: null, failure, ended_at: sql`now()` })
      .returning('id')
      .executeTakeFirst();
    if (row && failure) await withdrawUndecided(transaction, id);
  });

/** Returns whether a node still has the fetch, which nothing ends until the transaction does. */
export const holdFetch = async (transaction: Transaction<Schema>, id: string, owner: string): Promise<boolean> => {
  const row = await transaction
    .selectFrom('dicom_fetch')
    .select('id')
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
};

/** Returns the studies that are not decided, in their order. */
export const openStudies = (db: Kysely<Schema>, fetchId: string): Promise<FetchStudyRow[]> =>
  db
    .selectFrom('dicom_fetch_study')
    .selectAll()
    .where('fetch_id', '=', fetchId)
    .where('outcome', 'is', null)
    .orderBy('position')
    .execute();

const studyOf = (db: Kysely<Schema>, { fetch_id, study_uid }: Pick<FetchStudyRow, 'fetch_id' | 'study_uid'>) =>
  db.updateTable('dicom_fetch_study').where('fetch_id', '=', fetch_id).where('study_uid', '=', study_uid);

export const noteStudyOutcome = async (
  db: Kysely<Schema>,
  study: Pick<FetchStudyRow, 'fetch_id' | 'study_uid'>,
  outcome: NonNullable<FetchStudyRow['outcome']>,
): Promise<void> => {
  await studyOf(db, study).set({ outcome }).execute();
};

export type ListedImage = Pick<FetchImageRow, 'sop_instance_uid' | 'series_uid' | 'sop_class_uid'>;

/** Lists the images of a study, and opens the import that takes them. Returns its id. */
export const listImages = async (
  transaction: Transaction<Schema>,
  fetch: DicomFetchRow,
  { study_uid, description }: FetchStudyRow,
  images: readonly ListedImage[],
): Promise<string> => {
  await sql`insert into dicom_fetch_image (fetch_id, study_uid, sop_instance_uid, series_uid, sop_class_uid, position)
    select ${fetch.id}::uuid, ${study_uid}, image.*, row_number() over ()
    from unnest(${images.map((image) => image.sop_instance_uid)}::text[], ${images.map((image) => image.series_uid)}::text[],
      ${images.map((image) => image.sop_class_uid)}::text[]) as image
    on conflict do nothing`.execute(transaction);
  const taskId = randomUUID();
  await insertTask(transaction, {
    id: taskId,
    customerId: fetch.customer_id,
    patientId: fetch.patient_id,
    accountId: fetch.created_by,
    kind: 'dicom',
    name: description,
    totalFiles: images.length,
  });
  await studyOf(transaction, { fetch_id: fetch.id, study_uid }).set({ is_listed: true, task_id: taskId }).execute();
  return taskId;
};

/** Returns the images of a study without an outcome, in their order. */
export const unfetchedImages = (
  db: Kysely<Schema>,
  { fetch_id, study_uid }: Pick<FetchStudyRow, 'fetch_id' | 'study_uid'>,
): Promise<FetchImageRow[]> =>
  db
    .selectFrom('dicom_fetch_image')
    .selectAll()
    .where('fetch_id', '=', fetch_id)
    .where('study_uid', '=', study_uid)
    .where('outcome', 'is', null)
    .orderBy('position')
    .execute();

/** Returns which outcomes the images of a study have. */
export const outcomesOf = async (
  db: Kysely<Schema>,
  { fetch_id, study_uid }: Pick<FetchStudyRow, 'fetch_id' | 'study_uid'>,
): Promise<ReadonlySet<FetchOutcome | null>> => {
  const rows = await db
    .selectFrom('dicom_fetch_image')
    .select('outcome')
    .distinct()
    .where('fetch_id', '=', fetch_id)
    .where('study_uid', '=', study_uid)
    .execute();
  return new Set(rows.map(({ outcome }) => outcome));
};

/** Records how it went with images that have no outcome; a fetched one also ends a row of failures. */
export const noteFetched = async (
  db: Kysely<Schema>,
  { fetch_id, study_uid }: Pick<FetchStudyRow, 'fetch_id' | 'study_uid'>,
  uids: readonly string[],
  outcome: FetchOutcome,
): Promise<void> => {
  await db
    .updateTable('dicom_fetch_image')
    .set({ outcome })
    .where('fetch_id', '=', fetch_id)
    .where('study_uid', '=', study_uid)
    .where('outcome', 'is', null)
    .where(sql<boolean>`sop_instance_uid = any(${[...uids]}::text[])`)
    .execute();
  if (outcome === 'fetched')
    await db.updateTable('dicom_fetch').set({ tries: 0, failure: null }).where('id', '=', fetch_id).execute();
};

/** Returns the images that a patient has of studies, and studies that another patient of the clinic has. */
export const studiesHere = async (
  db: Kysely<Schema>,
  { customerId, patientId }: { readonly customerId: string; readonly patientId: string },
  uids: readonly string[],
): Promise<ReadonlyMap<string, { readonly images: number; readonly isOfAnotherPatient: boolean }>> => {
  if (uids.length === 0) return new Map();
  const { rows } = await sql<{ uid: string; patient_id: string; images: number }>`
    select study.uid, study.patient_id, (select count(*)::int from image join series on series.id = image.series_id
      where series.study_id = study.id and image.deleted_at is null and series.deleted_at is null) as images
    from study where study.customer_id = ${customerId} and study.uid = any(${[...uids]}::text[])
      and study.deleted_at is null`.execute(db);
  return new Map(
    rows.map(({ uid, patient_id, images }) => [uid, { images, isOfAnotherPatient: patient_id !== patientId }]),
  );
};
