import { type Kysely, sql, type Transaction } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../schema.ts';

/** The records that one order destroys. */
export interface DestroyedRecords {
  /** Set when the patient itself is destroyed. */
  readonly patientId: string | null;
  /** Study Instance UIDs of destroyed studies, and the patient who has them. */
  readonly studyUids: readonly string[];
  readonly ownerId: string;
  readonly images: readonly string[];
}

/** Imports that brought images of these records, or were begun for the patient. */
const importsOfRecords = async (
  db: Kysely<Schema>,
  { patientId, ownerId, studyUids, images }: DestroyedRecords,
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select task_id as id from import_file where image_id = any(${[...images]}::uuid[])
    union select id from import_task where patient_id = ${patientId}
    union select task_id from import_study where patient_id = ${patientId}
    union select task_id from import_study where patient_id = ${ownerId} and key = any(${[...studyUids]}::text[])
    order by id`.execute(db);
  return rows.map(({ id }) => id);
};

/** Locks the imports of these records, which come first in the common lock order. */
export const lockImportsOf = async (transaction: Transaction<Schema>, records: DestroyedRecords): Promise<void> => {
  const tasks = await importsOfRecords(transaction, records);
  await sql`select id from import_task where id = any(${tasks}::uuid[]) order by id for update`.execute(transaction);
};

/** Cancels unfinished imports of these records. Returns whether a node still works on one. */
export const cancelImportsOf = async (db: Kysely<Schema>, records: DestroyedRecords): Promise<boolean> => {
  const tasks = await importsOfRecords(db, records);
  if (tasks.length === 0) return false;
  await db
    .updateTable('import_task')
    .set({ error: true, cancelled: true, updated_at: new Date() })
    .where('id', 'in', tasks)
    .where('step', '<', importSteps.done)
    .where('error', '=', false)
    .execute();
  const leased = await db
    .selectFrom('import_task')
    .select('id')
    .where('id', 'in', tasks)
    .where('lease_until', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return leased !== undefined;
};

/**
 * Files of these imports that belong to the records, or to no study that stays: zips, which contain the images of all patients, and files that
 * could not be read or were left out.
 */
const filesOfRecords = async (
  transaction: Transaction<Schema>,
  tasks: readonly string[],
  { patientId, ownerId, studyUids, images }: DestroyedRecords,
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select file.id from import_file as file
      left join import_study as study on study.task_id = file.task_id and study.key = file.study_key
    where file.task_id = any(${[...tasks]}::uuid[]) and (file.image_id = any(${[...images]}::uuid[]) or file.image_id is null and (
      file.status in ('unpacked', 'left-out', 'ignored', 'duplicate')
      or ${patientId}::uuid is not null and (study.patient_id is null or study.patient_id = ${patientId})
      or study.patient_id = ${ownerId} and study.key = any(${[...studyUids]}::text[])))`.execute(transaction);
  return rows.map(({ id }) => id);
};

const list = (ids: readonly string[]) => sql`any(${[...ids]}::uuid[])`;

/**
 * Removes records and names from the ledger of imports. Returns the hashes of the removed files. An import of which nothing remains is removed;
 * one that also has images of other patients loses its name, which may name a patient.
 */
export const destroyImports = async (
  transaction: Transaction<Schema>,
  records: DestroyedRecords,
  viewsets: readonly string[],
): Promise<string[]> => {
  const { patientId, ownerId, studyUids } = records;
  const run = (statement: ReturnType<typeof sql>) => statement.execute(transaction);
  const tasks = await importsOfRecords(transaction, records);
  await run(sql`update import_study set viewset_id = null where viewset_id = ${list(viewsets)}`);
  if (tasks.length === 0) return [];
  const files = await filesOfRecords(transaction, tasks, records);
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from import_file where id = ${list(files)} and sha256 is not null
    union select sha256 from import_part where task_id = ${list(tasks)} and sha256 is not null
      and (file_id is null or file_id = ${list(files)})`.execute(transaction);
  await run(sql`update import_file set container_id = null where container_id = ${list(files)}`);
  await run(
    sql`delete from import_part where task_id = ${list(tasks)} and (file_id is null or file_id = ${list(files)})`,
  );
  await run(sql`delete from import_file where id = ${list(files)}`);
  await run(sql`delete from import_study where task_id = ${list(tasks)} and (
    ${patientId}::uuid is not null and (patient_id is null or patient_id = ${patientId})
    or patient_id = ${ownerId} and key = any(${[...studyUids]}::text[]))`);
  await run(sql`update import_object set path = '' where task_id = ${list(tasks)}`);
  await run(sql`delete from import_task where id = ${list(tasks)}
    and not exists (select from import_file where task_id = import_task.id)
    and not exists (select from import_study where task_id = import_task.id)`);
  if (patientId !== null)
    await run(
      sql`update import_task set name = '', patient_id = nullif(patient_id, ${patientId}) where id = ${list(tasks)}`,
    );
  return rows.map(({ sha256 }) => sha256);
};

/** Cancels the unfinished imports of a clinic and removes all that it has. Returns false, to be repeated, while a node works on one. */
export const destroyImportsOfClinic = (db: Kysely<Schema>, orderId: string, customerId: string): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const run = (statement: ReturnType<typeof sql>) => statement.execute(transaction);
    const tasks = sql`(select id from import_task where customer_id = ${customerId})`;
    await run(sql`select from import_task where customer_id = ${customerId} order by id for update`);
    await run(sql`update import_task set error = true, cancelled = true, updated_at = now()
      where customer_id = ${customerId} and step < ${importSteps.done} and not error`);
    const { rows } = await run(sql`select from import_task where customer_id = ${customerId} and lease_until > now()`);
    if (rows.length > 0) return false;
    await run(sql`insert into destruction_file (order_id, sha256)
      select ${orderId}::uuid, sha256 from import_file where task_id in ${tasks} and sha256 is not null
      union select ${orderId}::uuid, sha256 from import_part where task_id in ${tasks} and sha256 is not null
      on conflict do nothing`);
    await run(sql`update import_object set path = '' where task_id in ${tasks}`);
    await run(sql`delete from import_file where task_id in ${tasks}`);
    await run(sql`delete from import_task where customer_id = ${customerId}`);
    return true;
  });
