import { archiveCounts } from './archive-counts.ts';
import type { Database } from './client.ts';
import { countRows } from './count-rows.ts';
import { loadTables } from './load-tables.ts';
import { migrateTo } from './migrate.ts';
import { openSnapshot } from './snapshot.ts';

/** Thrown when the target database cannot take the archive. */
export class TargetUnusable extends Error {
  override readonly name = 'TargetUnusable';
}

export interface DatabaseMove {
  readonly source: Database;
  readonly target: Database;
  readonly onProgress: (done: number, total: number) => void;
}

export interface MovedDatabase {
  readonly tables: number;
  readonly rows: number;
}

/** A database that has our tables without an archive in them is left by an interrupted move or a first start. @throws TargetUnusable */
const ensureUsable = async ({ pool }: Database): Promise<void> => {
  const { rows: settings } = await pool.query<{ encoding: string }>(
    "select current_setting('server_encoding') as encoding",
  );
  if (settings[0]?.encoding !== 'UTF8')
    throw new TargetUnusable(`The target has the encoding ${settings[0]?.encoding}: create it with encoding UTF8`);
  const { rows: tables } = await pool.query<{ name: string }>(
    "select relname as name from pg_class where relkind in ('r', 'p', 'v', 'm') and relnamespace = current_schema()::regnamespace",
  );
  if (tables.length === 0) return;
  const { clinics, users, patients, images } = await archiveCounts(pool);
  const isOurs = tables.some(({ name }) => name === 'kysely_migration');
  if (!isOurs || clinics + users + patients + images > 0)
    throw new TargetUnusable('The target database is not empty: nothing was changed. Create an empty one');
};

/**
 * Copies all tables of a database without running servers to an empty one, from one snapshot, and compares the number of rows. The source is
 * only read. @throws TargetUnusable, BackupInProgress, DatabaseEmpty, StartupError, TablesDiffer, errors of the databases
 */
export const moveDatabase = async ({ source, target, onProgress }: DatabaseMove): Promise<MovedDatabase> => {
  await ensureUsable(target);
  const snapshot = await openSnapshot(source, 'all');
  try {
    const { tables, migrations } = snapshot;
    await migrateTo(target.db, migrations);
    let opened = 0;
    const copies = tables.map((table) => ({
      ...table,
      open: () => {
        onProgress(opened, tables.length);
        opened += 1;
        return snapshot.read(table);
      },
    }));
    await loadTables(target, copies, 'all');
    let rows = 0;
    for (const table of tables) {
      const [before, after] = [await snapshot.countRows(table), await countRows(target.pool, table)];
      if (before !== after)
        throw new TargetUnusable(`The table ${table.name} has ${before} rows, and its copy ${after}: use the source`);
      rows += before;
    }
    onProgress(tables.length, tables.length);
    await snapshot.end();
    return { tables: tables.length, rows };
  } finally {
    await snapshot.close();
  }
};
