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
    .execute();
};

export const findTask = (db: Kysely<Schema>, id: string): Promise<ImportTaskRow | undefined> =>
  db.selectFrom('import_task').selectAll().where('id', '=', id).executeTakeFirst();

/** The row stays as it is until the transaction ends: no file comes in while the step changes. */
export const lockTask = (db: Kysely<Schema>, id: string, strength: 'share' | 'update') => {
  const query = db.selectFrom('import_task').selectAll().where('id', '=', id);
  return (strength === 'share' ? query.forShare() : query.forUpdate()).executeTakeFirst();
};

/** Imports of a patient that wait for somebody or are at work, newest first; a failed one, and one without files, for a day. */
export const openTasksOfPatient = (db: Kysely<Schema>, patientId: string): Promise<ImportTaskRow[]> => {
  const recent = sql<boolean>`import_task.updated_at > now() - interval '1 day'`;
  return db
    .selectFrom('import_task')
    .selectAll()
    .where('patient_id', '=', patientId)
    .where('step', '<', importSteps.done)
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
    .orderBy('id')
    .execute();
};

export const filesOfTasks = async (db: Kysely<Schema>, taskIds: readonly string[]): Promise<ImportFileRow[]> => {
  if (taskIds.length === 0) return [];
  return db
    .selectFrom('import_file')
    .selectAll()
    .where('task_id', 'in', taskIds)
    .orderBy('received_at')
    .orderBy('id')
    .execute();
};

export interface NewFile {
  readonly id: string;
  readonly taskId: string;
  readonly fileName: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/**
 * The id of the file's row. A file of this name and content that the task has already keeps its row: an upload that is sent again
 * because its acknowledgement was lost does not count twice.
 */
export const ensureFile = async (db: Kysely<Schema>, file: NewFile): Promise<string> => {
  const held = await db
    .selectFrom('import_file')
    .select('id')
    .where('task_id', '=', file.taskId)
    .where('sha256', '=', file.sha256)
    .where('path', '=', file.path)
    .executeTakeFirst();
  if (held) return held.id;
  await db
    .insertInto('import_file')
    .values({
      id: file.id,
      task_id: file.taskId,
      file_name: file.fileName,
      path: file.path,
      size_bytes: file.sizeBytes,
      sha256: file.sha256,
      status: 'received',
    })
    .execute();
  return file.id;
};

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
  change: { readonly mismatchConfirmed?: boolean } = {},
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

export const setPercent = async (db: Kysely<Schema>, id: string, percent: number): Promise<void> => {
  await db.updateTable('import_task').set({ percent }).where('id', '=', id).execute();
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
