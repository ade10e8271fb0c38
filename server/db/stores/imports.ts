import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely';
import { type ImportKind, type ImportStep, importSteps } from '../../../contract/imports.ts';
import type { ImportFileTable, ImportTaskTable } from '../import-tables.ts';
import type { Schema } from '../schema.ts';

export type ImportTaskRow = Selectable<ImportTaskTable>;
export type ImportFileRow = Selectable<ImportFileTable>;

export interface NewTask {
  readonly id: string;
  readonly customerId: string;
  readonly patientId: string | null;
  readonly accountId: string;
  readonly kind: ImportKind;
  readonly name: string;
  readonly totalFiles: number;
}

/** Inserts a task; an existing one of this id is unchanged. */
export const insertTask = async (db: Kysely<Schema>, task: NewTask): Promise<void> => {
  await db
    .insertInto('import_task')
    .values({
      id: task.id,
      customer_id: task.customerId,
      patient_id: task.patientId,
      account_id: task.accountId,
      kind: task.kind,
      name: task.name,
      step: importSteps.uploading,
      total_files: task.totalFiles,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
};

export const findTask = (db: Kysely<Schema>, id: string): Promise<ImportTaskRow | undefined> =>
  db.selectFrom('import_task').selectAll().where('id', '=', id).executeTakeFirst();

/** Imports started for a deleted patient are inaccessible with the patient. */
const notOfDeletedPatient = (db: Kysely<Schema>) =>
  db
    .selectFrom('import_task')
    .selectAll('import_task')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('patient')
            .select('patient.id')
            .whereRef('patient.id', '=', 'import_task.patient_id')
            .where('patient.deleted_at', 'is not', null),
        ),
      ),
    );

/** Returns an import that can be viewed and decided, if the caller may use its clinic. */
export const findReachableTask = (db: Kysely<Schema>, id: string): Promise<ImportTaskRow | undefined> =>
  notOfDeletedPatient(db).where('import_task.id', '=', id).executeTakeFirst();

/** Locks the row until the transaction ends: no file is added while the step changes. */
export const lockTask = (db: Kysely<Schema>, id: string, strength: 'share' | 'update') => {
  const query = db.selectFrom('import_task').selectAll().where('id', '=', id);
  return (strength === 'share' ? query.forShare() : query.forUpdate()).executeTakeFirst();
};

/** No user continues an import whose objects a device is sending: the fetch moves it on. */
const isBeingFetched = (where: ExpressionBuilder<Schema, 'import_task'>) =>
  where.and([
    where('step', '=', importSteps.uploading),
    where.exists(
      where
        .selectFrom('dicom_fetch_study')
        .whereRef('dicom_fetch_study.task_id', '=', 'import_task.id')
        .select('dicom_fetch_study.task_id'),
    ),
  ]);

/** Returns waiting and running imports, newest first; failed and empty ones for a day; no cancelled ones. */
const openTasks = (db: Kysely<Schema>) => {
  const recent = sql<boolean>`import_task.updated_at > now() - interval '1 day'`;
  return notOfDeletedPatient(db)
    .where('step', '<', importSteps.done)
    .where('cancelled', '=', false)
    .where((where) => where.or([where('error', '=', false), recent]))
    .where((where) => where.not(isBeingFetched(where)))
    .where((where) =>
      where.or([
        where.exists(
          where
            .selectFrom('import_file')
            .whereRef('import_file.task_id', '=', 'import_task.id')
            .select('import_file.id'),
        ),
        recent,
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id');
};

/** Imports of a patient, by any user. */
export const openTasksOfPatient = (db: Kysely<Schema>, patientId: string): Promise<ImportTaskRow[]> =>
  openTasks(db).where('patient_id', '=', patientId).execute();

/** A user's own imports in a clinic. */
export const openTasksOfAccount = (
  db: Kysely<Schema>,
  { accountId, customerId }: { readonly accountId: string; readonly customerId: string },
): Promise<ImportTaskRow[]> =>
  openTasks(db)
    .where('account_id', '=', accountId)
    .where('source', 'is', null)
    .where('customer_id', '=', customerId)
    .execute();

/** Allowed transitions between steps. */
const next: Readonly<Record<ImportStep, ImportStep | null>> = {
  uploading: 'preparing',
  preparing: 'parsing',
  parsing: 'validation',
  validation: 'importing',
  importing: 'done',
  done: null,
};

/** Moves a task from `step` to the following one. False when it is no longer in that step, or has failed. */
export const advance = async (
  db: Kysely<Schema>,
  id: string,
  step: ImportStep,
  change: { readonly mismatchConfirmed?: boolean; readonly confirmedBy?: string } = {},
): Promise<boolean> => {
  const following = next[step];
  if (!following) throw new Error(`No step follows ${step}`);
  const row = await db
    .updateTable('import_task')
    .set({
      step: importSteps[following],
      percent: following === 'done' ? 100 : 0,
      updated_at: new Date(),
      ...(change.mismatchConfirmed === undefined ? {} : { mismatch_confirmed: change.mismatchConfirmed }),
      ...(change.confirmedBy === undefined ? {} : { confirmed_by: change.confirmedBy }),
    })
    .where('id', '=', id)
    .where('step', '=', importSteps[step])
    .where('error', '=', false)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

export const failTask = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db.updateTable('import_task').set({ error: true, updated_at: new Date() }).where('id', '=', id).execute();
};

/** Cancels a task; its workers stop. */
export const withdrawTask = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db
    .updateTable('import_task')
    .set({ error: true, cancelled: true, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
};

/** Restarts a task in any state with the files that it has received. */
export const restartTask = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db
    .updateTable('import_task')
    .set({ step: importSteps.preparing, percent: 0, error: false, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
};

/** Ends a task that has nothing to decide. */
export const endTask = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db
    .updateTable('import_task')
    .set({ step: importSteps.done, percent: 100, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
};

/** Sets the progress. False when the task failed or was cancelled: the work must stop. */
export const setPercent = async (db: Kysely<Schema>, id: string, percent: number): Promise<boolean> => {
  const row = await db
    .updateTable('import_task')
    .set({ percent })
    .where('id', '=', id)
    .where('error', '=', false)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

type Outcome = Pick<ImportFileRow, 'status'> &
  Partial<Pick<ImportFileRow, 'problem' | 'detail' | 'modality' | 'image_id' | 'study_key'>> & {
    readonly summary?: unknown;
    readonly namedPatient?: unknown;
  };

/** Writes the outcome of a file that still has the status `from`; false when it was settled concurrently. */
export const settleFile = async (
  db: Kysely<Schema>,
  id: string,
  from: 'received' | 'parsed',
  outcome: Outcome,
): Promise<boolean> => {
  const { summary, namedPatient, ...columns } = outcome;
  const row = await db
    .updateTable('import_file')
    .set({
      ...columns,
      ...(summary === undefined ? {} : { summary: JSON.stringify(summary) }),
      ...(namedPatient === undefined ? {} : { named_patient: JSON.stringify(namedPatient) }),
    })
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};
