import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { type DicomFetch, dicomFetch, type ForeignPatient } from '../../../contract/dicom-fetches.ts';
import { importSteps } from '../../../contract/imports.ts';
import type { DicomFetchTable } from '../dicom-transfer-tables.ts';
import type { Schema } from '../schema.ts';

export type DicomFetchRow = Selectable<DicomFetchTable>;

const isLeased = sql<boolean>`(lease_until is not null and lease_until >= now())`;

/** Days for which an ended fetch is listed. */
const keptDays = 7;

export interface StudyToFetch {
  readonly studyUid: string;
  readonly description: string;
  readonly studyDate: string | null;
  readonly patient: ForeignPatient;
  readonly isSamePatient: boolean;
}

interface NewFetch extends Pick<DicomFetchRow, 'customer_id' | 'patient_id' | 'device_id' | 'created_by'> {
  readonly studies: readonly StudyToFetch[];
}

/** Returns its id. Removes fetches that ended some days ago. */
export const insertFetch = async (
  transaction: Transaction<Schema>,
  { studies, ...fetch }: NewFetch,
): Promise<string> => {
  await sql`delete from dicom_fetch where ended_at < now() - make_interval(days => ${keptDays})`.execute(transaction);
  const id = randomUUID();
  await transaction
    .insertInto('dicom_fetch')
    .values({ id, ...fetch })
    .execute();
  await transaction
    .insertInto('dicom_fetch_study')
    .values(
      studies.map(({ studyUid, description, studyDate, patient, isSamePatient }, position) => ({
        fetch_id: id,
        study_uid: studyUid,
        position,
        description,
        study_date: studyDate,
        foreign_patient: JSON.stringify(patient),
        is_confirmed: isSamePatient,
      })),
    )
    .execute();
  return id;
};

const imageCounts = sql`(select study_uid, count(*) as found, count(*) filter (where outcome = 'fetched') as fetched
  from dicom_fetch_image where fetch_id = dicom_fetch.id group by study_uid)`;

/** An import that a user decided or that goes on is asked for its step; a study without an import has its outcome. */
const studyState = sql`case
  when task.step = ${importSteps.done} then 'imported'
  when study.outcome = 'imported' and (task.id is null or not task.error) then 'importing'
  when study.outcome = 'imported' then 'failed'
  when study.outcome = 'undecided' and task.error then 'failed'
  when study.outcome = 'undecided' and task.step > ${importSteps.validation} then 'importing'
  when study.outcome is not null then study.outcome
  when task.step > ${importSteps.uploading} then 'importing'
  when study.is_listed then 'fetching' else 'waiting' end`;

const own = (db: Kysely<Schema>, accountId: string) =>
  db
    .selectFrom('dicom_fetch')
    .innerJoin('dicom_device', 'dicom_device.id', 'dicom_fetch.device_id')
    .innerJoin('customer', 'customer.id', 'dicom_fetch.customer_id')
    .where('customer.deleted_at', 'is', null)
    .where('dicom_fetch.created_by', '=', accountId)
    .select(['dicom_fetch.id', 'dicom_fetch.customer_id as customerId', 'patient_id as patientId'])
    .select(['dicom_device.name as deviceName', 'dicom_fetch.created_at as createdAt', 'failure'])
    .select(
      sql<DicomFetch['state']>`case when cancelled then 'cancelled' when ended_at is null then
        case when ${isLeased} then 'fetching' else 'waiting' end
        when failure is null then 'done' else 'failed' end`.as('state'),
    )
    .select(
      sql<unknown>`(select jsonb_agg(jsonb_build_object('studyUid', study.study_uid, 'description', study.description,
          'studyDate', study.study_date, 'state', ${studyState}, 'found', coalesce(counts.found, 0),
          'fetched', coalesce(counts.fetched, 0)) order by study.position)
        from dicom_fetch_study as study left join import_task as task on task.id = study.task_id
          left join ${imageCounts} as counts on counts.study_uid = study.study_uid
        where study.fetch_id = dicom_fetch.id)`.as('studies'),
    )
    .select(
      sql<unknown>`coalesce((select jsonb_agg(jsonb_build_object('reason', reason, 'images', images) order by reason) from (
          select outcome as reason, count(*) as images from dicom_fetch_image
            where fetch_id = dicom_fetch.id and outcome <> 'fetched' group by outcome
          union all
          select 'import', count(*) from import_file join dicom_fetch_study as study on study.task_id = import_file.task_id
            where study.fetch_id = dicom_fetch.id and import_file.status = 'refused' having count(*) > 0) as refused), '[]')`.as(
        'refusals',
      ),
    );

const fetchOf = ({ createdAt, ...row }: { readonly createdAt: Date }): DicomFetch =>
  dicomFetch.parse({ ...row, createdAt: createdAt.toISOString() });

/** Returns the fetches of an account in a clinic, the newest first. */
export const fetchesOf = async (
  db: Kysely<Schema>,
  { accountId, customerId }: { readonly accountId: string; readonly customerId: string },
): Promise<DicomFetch[]> => {
  const rows = await own(db, accountId)
    .where('dicom_fetch.customer_id', '=', customerId)
    .orderBy('dicom_fetch.created_at', 'desc')
    .orderBy('dicom_fetch.id')
    .execute();
  return rows.map(fetchOf);
};

export const fetchById = async (db: Kysely<Schema>, accountId: string, id: string): Promise<DicomFetch | undefined> => {
  const row = await own(db, accountId).where('dicom_fetch.id', '=', id).executeTakeFirst();
  return row && fetchOf(row);
};

/** Withdraws the imports of studies that are not decided: nothing is imported in part. */
export const withdrawUndecided = async (transaction: Transaction<Schema>, fetchId: string): Promise<void> => {
  await sql`update import_task set error = true, cancelled = true, updated_at = now()
    from dicom_fetch_study as study where study.task_id = import_task.id and study.fetch_id = ${fetchId}
      and study.outcome is null and import_task.step <= ${importSteps.validation}`.execute(transaction);
  await transaction
    .updateTable('dicom_fetch_study')
    .set({ outcome: 'failed' })
    .where('fetch_id', '=', fetchId)
    .where('outcome', 'is', null)
    .execute();
};

/** Ends a fetch that has not ended: the node that works on it stops. */
export const cancelFetch = (db: Kysely<Schema>, id: string): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('dicom_fetch')
      .set({ cancelled: true, failure: null, ended_at: sql`now()` })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (row) await withdrawUndecided(transaction, id);
  });

/** Returns whether it had ended, and is removed. */
export const removeFetch = async (db: Kysely<Schema>, id: string): Promise<boolean> => {
  const row = await db
    .deleteFrom('dicom_fetch')
    .where('id', '=', id)
    .where('ended_at', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};
