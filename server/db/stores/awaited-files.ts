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

/**
 * The row of a file whose bytes lie in the object store still. Files that are called alike cannot be told apart before their bytes are here, so
 * the second one stands in a folder of its own number.
 */
export const insertAwaitedFile = async (db: Kysely<Schema>, file: AwaitedFile): Promise<void> => {
  const fileName = file.path.split('/').at(-1) ?? file.path;
  const { count } = await db
    .selectFrom('import_file')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('task_id', '=', file.taskId)
    .where('file_name', '=', fileName)
    .executeTakeFirstOrThrow();
  const numbers = [null, ...Array.from({ length: 1000 }, (_, index) => Number(count) + 1 + index)];
  for (const number of numbers) {
    const row = await db
      .insertInto('import_file')
      .values({
        id: file.id,
        task_id: file.taskId,
        file_name: fileName,
        path: number === null ? file.path : `${number}/${file.path}`,
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
 * The bytes are in the store of files; a row that has them already stays as it is. Where the task has the same bytes under the same path (they
 * came by both ways), this row steps aside into a folder of its own number and is judged as the duplicate that it is.
 */
export const setBytesOfFile = async (
  db: Kysely<Schema>,
  file: { readonly id: string; readonly path: string },
  { sha256, sizeBytes }: { readonly sha256: string; readonly sizeBytes: number },
): Promise<void> => {
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? file.path : `${number}/${file.path}`;
    try {
      await db
        .updateTable('import_file')
        .set({ path, sha256, size_bytes: sizeBytes, problem: null, detail: null })
        .where('id', '=', file.id)
        .where('sha256', 'is', null)
        .execute();
      return;
    } catch (error) {
      if (!isTaken(error) || number > 1000) throw error;
    }
  }
};

/** Says why a file is not here yet, for whoever looks at the import meanwhile. It stays `received`: it is tried again. */
export const noteWaiting = async (db: Kysely<Schema>, id: string, detail: string): Promise<void> => {
  await db
    .updateTable('import_file')
    .set({ problem: 'storage-failed', detail })
    .where('id', '=', id)
    .where('sha256', 'is', null)
    .where('status', '=', 'received')
    .execute();
};

/** Whether the task has a file that came, or comes, by this name in the object store. */
export const isAwaitedFile = async (db: Kysely<Schema>, taskId: string, awsName: string): Promise<boolean> => {
  const row = await db
    .selectFrom('import_file')
    .select('id')
    .where('task_id', '=', taskId)
    .where('aws_name', '=', awsName)
    .executeTakeFirst();
  return row !== undefined;
};
