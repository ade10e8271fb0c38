import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { ArchiveFilesTable, Schema } from '../schema.ts';

export type ArchiveFilesRow = Selectable<ArchiveFilesTable>;

export const readArchiveFiles = (db: Kysely<Schema>): Promise<ArchiveFilesRow> =>
  db.selectFrom('archive_files').selectAll().executeTakeFirstOrThrow();

/** Locks the row: one node at a time compares and advances the counters. */
export const lockArchiveFiles = (transaction: Transaction<Schema>): Promise<ArchiveFilesRow> =>
  transaction.selectFrom('archive_files').selectAll().forUpdate().executeTakeFirstOrThrow();

/** Writes the next value of the counter; the folder's counter follows in a separate transaction. */
export const setGeneration = async (transaction: Transaction<Schema>, generation: number): Promise<void> => {
  await transaction.updateTable('archive_files').set({ generation }).execute();
};

/** Records that the folder's counter is durable at this value. */
export const confirmGeneration = async (transaction: Transaction<Schema>, confirmed: number): Promise<void> => {
  await transaction.updateTable('archive_files').set({ confirmed }).execute();
};

/** Records that the folder has newer files than the database; sweeping stops until an administrator decides. */
export const markOlder = async (transaction: Transaction<Schema>, folderGeneration: number): Promise<void> => {
  await transaction
    .updateTable('archive_files')
    .set({ generation: folderGeneration + 1, older_since: sql`coalesce(older_since, now())` })
    .execute();
};

/** Clears the mark after an administrator decided about the unreferenced files. */
export const clearOlder = async (db: Kysely<Schema>): Promise<void> => {
  await db.updateTable('archive_files').set({ older_since: null, unnamed_files: 0, unnamed_bytes: 0 }).execute();
};

export interface FileCount {
  readonly files: number;
  readonly bytes: number;
}

export const noteUnnamed = async (db: Kysely<Schema>, { files, bytes }: FileCount): Promise<void> => {
  await db.updateTable('archive_files').set({ unnamed_files: files, unnamed_bytes: bytes }).execute();
};

export const noteQuarantined = async (
  db: Kysely<Schema>,
  { files, bytes, since }: FileCount & { readonly since: Date | null },
): Promise<void> => {
  await db
    .updateTable('archive_files')
    .set({ quarantined_files: files, quarantined_bytes: bytes, quarantined_since: files > 0 ? since : null })
    .execute();
};
