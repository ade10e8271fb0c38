import { type Kysely, sql, type Transaction } from 'kysely';
import type { FetchOutcome } from '../../../contract/dicom-fetches.ts';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../schema.ts';
import type { FetchStudyRow } from './dicom-fetch-work.ts';

type StudyKey = Pick<FetchStudyRow, 'fetch_id' | 'study_uid'>;

/** An image that a device was asked to send. */
export interface MovedImage {
  readonly deviceId: string;
  readonly sopInstanceUid: string;
}

/** The study of a fetch that has asked for an image. */
export interface MovingStudy extends StudyKey {
  readonly customer_id: string;
  readonly patient_id: string;
  readonly task_id: string;
  readonly outcome: FetchOutcome | null;
}

/** Studies on the way from a device by C-MOVE, whose imports take images. */
const moving = (deviceId: string) => sql`dicom_fetch_study as study
  join dicom_fetch as owner on owner.id = study.fetch_id
  join import_task as task on task.id = study.task_id and task.step = ${importSteps.uploading} and not task.error
  where owner.device_id = ${deviceId} and owner.ended_at is null and study.by_move and study.outcome is null`;

/** An image can be sent twice, when the answer to it was lost. */
const askedImage = sql`(image.outcome is null or image.outcome = 'fetched')`;

/** Lets the images of a study come from the device. */
export const beginMove = async (db: Kysely<Schema>, { fetch_id, study_uid }: StudyKey): Promise<void> => {
  await db
    .updateTable('dicom_fetch_study')
    .set({ by_move: true, lacks_space: false })
    .where('fetch_id', '=', fetch_id)
    .where('study_uid', '=', study_uid)
    .execute();
};

/** Returns whether the archive had no space for an image since the device was last asked. */
export const lacksSpace = async (db: Kysely<Schema>, { fetch_id, study_uid }: StudyKey): Promise<boolean> => {
  const row = await db
    .selectFrom('dicom_fetch_study')
    .select('lacks_space')
    .where('fetch_id', '=', fetch_id)
    .where('study_uid', '=', study_uid)
    .executeTakeFirst();
  return row?.lacks_space ?? false;
};

/** Returns whether a device was asked to send anything that has not come. */
export const isMovedFrom = async (db: Kysely<Schema>, deviceId: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from ${moving(deviceId)} limit 1`.execute(db);
  return rows.length > 0;
};

/** Returns whether a device was asked to send this image. */
export const isAskedByMove = async (db: Kysely<Schema>, { deviceId, sopInstanceUid }: MovedImage): Promise<boolean> => {
  const { rows } = await sql`select 1 from ${moving(deviceId)} and exists (select from dicom_fetch_image as image
    where image.fetch_id = study.fetch_id and image.study_uid = study.study_uid
      and image.sop_instance_uid = ${sopInstanceUid} and ${askedImage}) limit 1`.execute(db);
  return rows.length > 0;
};

/** Returns the study of a fetch that asked a device for an image, one that still lacks it first. */
export const studyAskingFor = async (
  db: Kysely<Schema>,
  { deviceId, sopInstanceUid }: MovedImage,
  studyUid: string,
): Promise<MovingStudy | undefined> => {
  const { rows } = await sql<MovingStudy>`
    select asking.*, image.outcome from (select study.fetch_id, study.study_uid, owner.customer_id, owner.patient_id, study.task_id,
        owner.created_at from ${moving(deviceId)} and study.study_uid = ${studyUid}) as asking
      join dicom_fetch_image as image on image.fetch_id = asking.fetch_id and image.study_uid = asking.study_uid
    where image.sop_instance_uid = ${sopInstanceUid} and ${askedImage}
    order by image.outcome is null desc, asking.created_at limit 1`.execute(db);
  return rows[0];
};

/** Returns whether the import of a study has these bytes. */
export const hasMoved = async (db: Kysely<Schema>, { task_id }: MovingStudy, sha256: string): Promise<boolean> => {
  const row = await db
    .selectFrom('import_file')
    .select('id')
    .where('task_id', '=', task_id)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row !== undefined;
};

/** Returns whether a fetch has not ended, which nothing does until the transaction ends. */
export const holdOpenFetch = async (transaction: Transaction<Schema>, id: string): Promise<boolean> => {
  const row = await transaction
    .selectFrom('dicom_fetch')
    .select('id')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
};

/** Records that an image that a device was asked for is too large. */
export const noteTooLarge = async (db: Kysely<Schema>, { deviceId, sopInstanceUid }: MovedImage): Promise<void> => {
  await sql`update dicom_fetch_image set outcome = 'too-large' where outcome is null
    and sop_instance_uid = ${sopInstanceUid} and (fetch_id, study_uid) in
      (select study.fetch_id, study.study_uid from ${moving(deviceId)})`.execute(db);
};

/** Records that the archive has no space for an image that a device was asked for. */
export const noteNoSpace = async (db: Kysely<Schema>, { deviceId, sopInstanceUid }: MovedImage): Promise<void> => {
  await sql`update dicom_fetch_study set lacks_space = true where (fetch_id, study_uid) in
    (select study.fetch_id, study.study_uid from ${moving(deviceId)} and exists (select from dicom_fetch_image as image
      where image.fetch_id = study.fetch_id and image.study_uid = study.study_uid
        and image.sop_instance_uid = ${sopInstanceUid}))`.execute(db);
};
