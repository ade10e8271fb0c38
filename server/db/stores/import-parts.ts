import type { Kysely, Selectable } from 'kysely';
import type { ImportPartTable } from '../import-tables.ts';
import type { Schema } from '../schema.ts';

export type ImportPartRow = Selectable<ImportPartTable>;

export interface NewPart {
  readonly taskId: string;
  readonly key: string;
  readonly path: string;
  readonly sizeBytes: number;
}

export const findPart = (db: Kysely<Schema>, taskId: string, key: string): Promise<ImportPartRow | undefined> =>
  db.selectFrom('import_part').selectAll().where('task_id', '=', taskId).where('key', '=', key).executeTakeFirst();

/** Does nothing when the task has one of this key. */
export const ensurePart = async (db: Kysely<Schema>, { taskId, key, path, sizeBytes }: NewPart): Promise<void> => {
  await db
    .insertInto('import_part')
    .values({ task_id: taskId, key, path, size_bytes: sizeBytes, sha256: null, file_id: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Stores what is known once it is complete: its hash, then its file row. */
export const settlePart = async (
  db: Kysely<Schema>,
  part: Pick<ImportPartRow, 'task_id' | 'key'>,
  change: { readonly sha256: string | null } | { readonly file_id: string },
): Promise<void> => {
  await db
    .updateTable('import_part')
    .set(change)
    .where('task_id', '=', part.task_id)
    .where('key', '=', part.key)
    .execute();
};
