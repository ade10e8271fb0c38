import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

export interface FileCheckPosition {
  /** Hash of the last checked file; empty at the start. */
  readonly position: string;
  /** Time since the pass started, by the database's clock. */
  readonly elapsedMs: number;
}

const leaseSeconds = 180;
const lease = sql<Date>`now() + make_interval(secs => ${leaseSeconds})`;

/** Claims the file check for this node; null while another node runs it. */
export const claimFileCheck = async (db: Kysely<Schema>, owner: string): Promise<FileCheckPosition | null> => {
  const row = await db
    .updateTable('file_check')
    .set({ lease_owner: owner, lease_until: lease })
    .where(({ or, eb }) =>
      or([eb('lease_owner', '=', owner), eb('lease_until', 'is', null), eb('lease_until', '<', sql<Date>`now()`)]),
    )
    .returning('position')
    .returning(sql<number>`(extract(epoch from now() - started_at) * 1000)::float8`.as('elapsedMs'))
    .executeTakeFirst();
  return row ?? null;
};

/** Saves the position of the check. False when another node runs it now. */
export const saveFileCheck = async (db: Kysely<Schema>, owner: string, position: string): Promise<boolean> => {
  const row = await db
    .updateTable('file_check')
    .set({ position, lease_until: lease })
    .where('lease_owner', '=', owner)
    .returning('only_row')
    .executeTakeFirst();
  return row !== undefined;
};

/** Starts the next pass through all files. */
export const restartFileCheck = async (db: Kysely<Schema>, owner: string): Promise<void> => {
  await db
    .updateTable('file_check')
    .set({ position: '', started_at: sql<Date>`now()` })
    .where('lease_owner', '=', owner)
    .execute();
};

/** Releases the check, so that another node can continue at once. */
export const releaseFileCheck = async (db: Kysely<Schema>, owner: string): Promise<void> => {
  await db.updateTable('file_check').set({ lease_until: null }).where('lease_owner', '=', owner).execute();
};

/** Returns hashes of images and their original pictures in order: those after `after`, up to `last`. */
export const nextFilesToCheck = async (
  db: Kysely<Schema>,
  after: string,
  last: string,
  limit: number,
): Promise<readonly string[]> => {
  const { rows } = await sql<{ sha256: string }>`
    (select sha256 from image where sha256 > ${after} and sha256 <= ${last} order by sha256 limit ${limit})
    union
    (select original_sha256 from image where original_sha256 > ${after} and original_sha256 <= ${last}
      order by original_sha256 limit ${limit})
    order by 1 limit ${limit}`.execute(db);
  return rows.map((row) => row.sha256);
};
