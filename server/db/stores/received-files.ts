import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

export interface ReceivedFile {
  readonly fileName: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

const keyOf = (file: Pick<ReceivedFile, 'path' | 'sha256'>): string => `${file.sha256}/${file.path}`;

/**
 * Inserts the rows of files and returns their ids in order. A file with the same path and content keeps its row, so an upload repeated because
 * its acknowledgement was lost does not count twice, even while the first one is running.
 */
export const ensureFiles = async (
  db: Kysely<Schema>,
  taskId: string,
  files: readonly ReceivedFile[],
): Promise<string[]> => {
  const made = await db
    .insertInto('import_file')
    .values(
      files.map((file) => ({
        id: randomUUID(),
        task_id: taskId,
        file_name: file.fileName,
        path: file.path,
        size_bytes: file.sizeBytes,
        sha256: file.sha256,
        status: 'received' as const,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'path', 'sha256'])
    .execute();
  const held =
    made.length === files.length
      ? []
      : await db
          .selectFrom('import_file')
          .select(['id', 'path', 'sha256'])
          .where('task_id', '=', taskId)
          .where('container_id', 'is', null)
          .where(
            'sha256',
            'in',
            files.map((file) => file.sha256),
          )
          .execute();
  const ids = new Map([...held, ...made].map((row) => [keyOf({ path: row.path, sha256: row.sha256 ?? '' }), row.id]));
  return files.map((file) => {
    const id = ids.get(keyOf(file));
    if (id === undefined) throw new Error('a row that was just written is not there');
    return id;
  });
};

/** Files sent directly, not from a zip. */
export const countFiles = async (db: Kysely<Schema>, taskId: string): Promise<number> => {
  const row = await db
    .selectFrom('import_file')
    .select(sql<number>`count(*)`.as('files'))
    .where('task_id', '=', taskId)
    .where('container_id', 'is', null)
    .executeTakeFirst();
  return row?.files ?? 0;
};
