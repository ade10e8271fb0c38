import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type ArchiveCounts, archiveCounts } from './archive-counts.ts';
import type { Database } from './client.ts';
import { countRows } from './count-rows.ts';
import { referencedFilesQuery } from './stores/leftovers.ts';
import { type CopiedTable, type CopyScope, tablesToCopy } from './table-order.ts';

/** Tables and files as they were at one moment. */
export interface Snapshot {
  readonly at: Date;
  readonly counts: ArchiveCounts;
  /** Names of the migrations that the database has. */
  readonly migrations: readonly string[];
  /** Referenced tables come before those that reference them. */
  readonly tables: readonly CopiedTable[];
  /** Rows of a table in the text format of COPY. */
  readonly read: (table: CopiedTable) => Readable;
  readonly countRows: (table: CopiedTable) => Promise<number>;
  /** Writes the SHA-256 of every stored file that a row references, one per line, in order. */
  readonly writeReferencedFiles: (file: string, keepMs: number) => Promise<void>;
  /** Ends the transaction and releases the connection. */
  readonly end: () => Promise<void>;
  /** Releases the connection, whatever has been read. */
  readonly close: () => void;
}

/** Thrown when the database has no tables yet. */
export class DatabaseEmpty extends Error {
  override readonly name = 'DatabaseEmpty';
}

const migrationsOf = async (client: pg.PoolClient): Promise<string[]> => {
  const { rows } = await client.query<{ found: string | null }>(
    "select to_regclass('kysely_migration')::text as found",
  );
  if (!rows[0]?.found) throw new DatabaseEmpty('The database has no tables yet');
  const { rows: names } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return names.map(({ name }) => name);
};

/**
 * Opens a consistent view of the database, whether or not servers are writing to it.
 * @throws DatabaseEmpty, errors of the database
 */
export const openSnapshot = async ({ pool }: Database, scope: CopyScope = 'lasting'): Promise<Snapshot> => {
  const client = await pool.connect();
  let isReleased = false;
  const close = (): void => {
    // A copy may be unfinished: without its connection the database ends it and the transaction a moment later.
    if (!isReleased) client.release(true);
    isReleased = true;
  };
  try {
    await client.query('begin transaction isolation level repeatable read, read only');
    const { rows } = await client.query<{ at: Date }>('select now() as at');
    const at = rows[0]?.at ?? new Date();
    const migrations = await migrationsOf(client);
    const tables = await tablesToCopy(client, scope);
    return {
      at,
      counts: await archiveCounts(client),
      migrations,
      tables,
      read: ({ name, columns }) => {
        const list = columns.map(pg.escapeIdentifier).join(', ');
        return client.query(copyTo(`copy ${pg.escapeIdentifier(name)} (${list}) to stdout`));
      },
      countRows: (table) => countRows(client, table),
      writeReferencedFiles: (file, keepMs) =>
        pipeline(
          client.query(copyTo(`copy (${referencedFilesQuery(keepMs)}) to stdout`)),
          createWriteStream(file, { flags: 'wx' }),
        ),
      end: async () => {
        await client.query('commit');
        close();
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
};
