import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { ImportObjectTable } from '../import-tables.ts';
import type { Schema } from '../schema.ts';

export type ImportObjectRow = Selectable<ImportObjectTable>;

export interface NewObject {
  readonly taskId: string;
  readonly key: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly partBytes: number;
}

/** Returns the upload of this key, inserted if new. */
export const ensureObject = async (db: Kysely<Schema>, object: NewObject): Promise<ImportObjectRow> => {
  const { taskId: task_id, key, path, sizeBytes: size_bytes, partBytes: part_bytes } = object;
  await db
    .insertInto('import_object')
    .values({ task_id, key, name: randomUUID(), path, size_bytes, part_bytes })
    .onConflict((conflict) => conflict.columns(['task_id', 'key']).doNothing())
    .execute();
  return db
    .selectFrom('import_object')
    .selectAll()
    .where('task_id', '=', task_id)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
};

export const findObject = (db: Kysely<Schema>, taskId: string, key: string): Promise<ImportObjectRow | undefined> =>
  db.selectFrom('import_object').selectAll().where('task_id', '=', taskId).where('key', '=', key).executeTakeFirst();

/** Counts the files of a task that are still being uploaded to the object store. */
export const countUnfinished = async (db: Kysely<Schema>, taskId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('import_object')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('task_id', '=', taskId)
    .where('file_id', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Stores the id of a newly opened upload. False when another one was stored meanwhile, or the object is no longer needed. */
export const replaceUpload = async (
  db: Kysely<Schema>,
  name: string,
  former: string | null,
  uploadId: string,
): Promise<boolean> => {
  const row = await db
    .updateTable('import_object')
    .set({ upload_id: uploadId })
    .where('name', '=', name)
    .where('gone_at', 'is', null)
    .where('upload_id', former === null ? 'is' : '=', former)
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
};

/** Locks the object until the transaction ends. */
export const lockObject = (db: Kysely<Schema>, name: string): Promise<ImportObjectRow | undefined> =>
  db.selectFrom('import_object').selectAll().where('name', '=', name).forUpdate().executeTakeFirst();

export const setFileOfObject = async (db: Kysely<Schema>, name: string, fileId: string): Promise<void> => {
  await db.updateTable('import_object').set({ file_id: fileId }).where('name', '=', name).execute();
};

export const markTaskOfObjects = async (db: Kysely<Schema>, taskId: string): Promise<void> => {
  await db
    .updateTable('import_task')
    .set({ aws_upload: true })
    .where('id', '=', taskId)
    .where('aws_upload', '=', false)
    .execute();
};

/**
 * Returns objects that are no longer needed in the store: fetched, impossible to finish, or of a cancelled or finished import. Failed imports,
 * and finished ones with files that could not be fetched, can be retried for a day.
 */
export const objectsOver = (db: Kysely<Schema>, limit: number): Promise<ImportObjectRow[]> =>
  db
    .selectFrom('import_object as object')
    .leftJoin('import_task as task', 'task.id', 'object.task_id')
    .leftJoin('import_file as file', 'file.id', 'object.file_id')
    .selectAll('object')
    .where('object.gone_at', 'is', null)
    .where((where) =>
      where.or([
        where('task.id', 'is', null),
        where('file.sha256', 'is not', null),
        where.and([
          where('file.id', 'is', null),
          where.or([where('task.step', '>', importSteps.uploading), where('object.file_id', 'is not', null)]),
        ]),
        where('task.cancelled', '=', true),
        where.and([
          where.or([where('task.error', '=', true), where('task.step', '=', importSteps.done)]),
          where('task.updated_at', '<', sql<Date>`now() - interval '1 day'`),
        ]),
      ]),
    )
    .orderBy('object.begun_at')
    .limit(limit)
    .execute();

/** Records that the store holds nothing of it. The row stays while the import runs, because a client may still ask for its key. */
export const markGone = async (db: Kysely<Schema>, name: string): Promise<void> => {
  await db.updateTable('import_object').set({ gone_at: new Date() }).where('name', '=', name).execute();
};

/** Deletes the rows of removed objects of finished imports. */
export const forgetGone = async (db: Kysely<Schema>): Promise<void> => {
  await db
    .deleteFrom('import_object')
    .where('gone_at', 'is not', null)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('import_task')
            .select('import_task.id')
            .whereRef('import_task.id', '=', 'import_object.task_id')
            .where('import_task.step', '<', importSteps.done)
            .where('import_task.error', '=', false),
        ),
      ),
    )
    .execute();
};
