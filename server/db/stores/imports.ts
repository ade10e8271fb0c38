import { type Kysely, type Selectable, sql } from 'kysely';
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

/** Writes a task; one of this id that is there stays as it is. */
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

/** What was begun for a patient who lies in the recycle bin is out of reach with them. */
const ofNobodyDeleted = (db: Kysely<Schema>) =>
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

/** An import that a person may look at and decide about, as far as its clinic is theirs. */
export const findReachableTask = (db: Kysely<Schema>, id: string): Promise<ImportTaskRow | undefined> =>
  ofNobodyDeleted(db).where('import_task.id', '=', id).executeTakeFirst();

/** The row stays as it is until the transaction ends: no file comes in while the step changes. */
export const lockTask = (db: Kysely<Schema>, id: string, strength: 'share' | 'update') => {
  const query = db.selectFrom('import_task').selectAll().where('id', '=', id);
  return (strength === 'share' ? query.forShare() : query.forUpdate()).executeTakeFirst();
};

/** Imports that wait for somebody or are at work, newest first; a failed one, and one without files, for a day; none that was withdrawn. */
const openTasks = (db: Kysely<Schema>) => {
  const recent = sql<boolean>`import_task.updated_at > now() - interval '1 day'`;
  return ofNobodyDeleted(db)
    .where('step', '<', importSteps.done)
    .where('cancelled', '=', false)
    .where((where) => where.or([where('error', '=', false), recent]))
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

/** Of a patient, whoever began them. */
export const openTasksOfPatient = (db: Kysely<Schema>, patientId: string): Promise<ImportTaskRow[]> =>
  openTasks(db).where('patient_id', '=', patientId).execute();

/** A person's own in a clinic. */
export const openTasksOfPerson = (
  db: Kysely<Schema>,
  { accountId, customerId }: { readonly accountId: string; readonly customerId: string },
): Promise<ImportTaskRow[]> =>
  openTasks(db).where('account_id', '=', accountId).where('customer_id', '=', customerId).execute();

/** Which step follows which. Whatever is not in here does not happen. */
const next: Readonly<Record<ImportStep, ImportStep | null>> = {
  uploading: 'preparing',
  preparing: 'parsing',
  parsing: 'validation',
  validation: 'importing',
  importing: 'done',
  done: null,
};

/** Moves a task from `step` to the one that follows. False when it is not (or no longer) there, or has failed. */
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

/** A person does not want it: whoever works on it stops. */
export const withdrawTask = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db
    .updateTable('import_task')
    .set({ error: true, cancelled: true, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
};

/** Whatever became of it: it begins again with what it has received. */
export const beginAgain = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db
    .updateTable('import_task')
    .set({ step: importSteps.preparing, percent: 0, error: false, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
};

/** There is nothing that a person could decide: what came in before is all that there is. */
export const endTask = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db
    .updateTable('import_task')
    .set({ step: importSteps.done, percent: 100, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
};

/** False when the task has failed or was withdrawn in the meantime: the work must stop. */
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

/** Writes what became of a file, if it still has the status `from`; false when somebody else got there first. */
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
