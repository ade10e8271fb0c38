import type { Kysely } from 'kysely';
import pg from 'pg';
import type { Schema } from '../schema.ts';

export interface AwaitedFile {
  readonly id: string;
  readonly taskId: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly awsName: string;
}

/** Folder names for files of equal path in one task: none, then unused numbers. Files cannot be compared before their bytes are here. */
const placesFor = async (db: Kysely<Schema>, taskId: string, path: string): Promise<readonly string[]> => {
  const { count } = await db
    .selectFrom('import_file')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('task_id', '=', taskId)
    .where('file_name', '=', nameOf(path))
    .executeTakeFirstOrThrow();
  return [path, ...Array.from({ length: 100 }, (_, index) => `${Number(count) + 1 + index}/${path}`)];
};

const nameOf = (path: string): string => path.split('/').at(-1) ?? path;

/** Inserts the row of a file whose bytes are still in the object store. */
export const insertAwaitedFile = async (db: Kysely<Schema>, file: AwaitedFile): Promise<void> => {
  for (const path of await placesFor(db, file.taskId, file.path)) {
    const row = await db
      .insertInto('import_file')
      .values({
        id: file.id,
        task_id: file.taskId,
        file_name: nameOf(file.path),
        path,
        size_bytes: file.sizeBytes,
        sha256: null,
        aws_name: file.awsName,
        status: 'received',
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row) return;
  }
  throw new Error('no free place for a file in its import');
};

const isTaken = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '23505';

/**
 * Records that the bytes are in the file store; a row that has its bytes is unchanged. If the task already has the same bytes under the same
 * path (uploaded both ways), this row moves to a numbered folder and is treated as a duplicate.
 */
export const setBytesOfFile = async (
  db: Kysely<Schema>,
  file: { readonly id: string; readonly task_id: string; readonly path: string },
  { sha256, sizeBytes }: { readonly sha256: string; readonly sizeBytes: number },
): Promise<void> => {
  const update = async (path: string): Promise<boolean> => {
    try {
      await db
        .updateTable('import_file')
        .set({ path, sha256, size_bytes: sizeBytes, problem: null, detail: null })
        .where('id', '=', file.id)
        .where('sha256', 'is', null)
        .execute();
      return true;
    } catch (error) {
      if (isTaken(error)) return false;
      throw error;
    }
  };
  if (await update(file.path)) return;
  for (const path of await placesFor(db, file.task_id, file.path)) if (await update(path)) return;
  throw new Error('no free place for a file in its import');
};

/** Records why a file is not fetched yet. It stays `received` and is retried. */
export const noteWaiting = async (db: Kysely<Schema>, id: string, detail: string): Promise<void> => {
  await db
    .updateTable('import_file')
    .set({ problem: 'storage-failed', detail })
    .where('id', '=', id)
    .where('sha256', 'is', null)
    .where('status', '=', 'received')
    .execute();
};

/** Returns whether the task has a file with this name in the object store. */
export const isAwaitedFile = async (db: Kysely<Schema>, taskId: string, awsName: string): Promise<boolean> => {
  const row = await db
    .selectFrom('import_file')
    .select('id')
    .where('task_id', '=', taskId)
    .where('aws_name', '=', awsName)
    .executeTakeFirst();
  return row !== undefined;
};

/** Returns the hash and size of a file; null until its bytes are in the file store. */
export const bytesOfFile = async (
  db: Kysely<Schema>,
  id: string,
): Promise<{ readonly sha256: string; readonly sizeBytes: number } | null> => {
  const now = await db
    .selectFrom('import_file')
    .select(['sha256', 'size_bytes'])
    .where('id', '=', id)
    .executeTakeFirst();
  return now?.sha256 ? { sha256: now.sha256, sizeBytes: now.size_bytes } : null;
};
