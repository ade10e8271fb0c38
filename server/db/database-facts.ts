import type { Database } from './client.ts';
import { appliedMigrations } from './migrate.ts';
import { migrations } from './migrations.ts';

const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'max_connections', 'server_encoding'] as const;

/** What a database is and whether it fits this version. */
export interface DatabaseFacts {
  /** For example `18.4`. */
  readonly version: string;
  readonly settings: Readonly<Record<(typeof names)[number], string>>;
  /** Clock of the database minus the clock of this process. */
  readonly clockAheadMs: number;
  readonly sizeBytes: number;
  /** Migrations that the next start of this version makes. */
  readonly pending: readonly string[];
  /** Migrations of a newer version. */
  readonly unknown: readonly string[];
}

/** Reads the facts and changes nothing. @throws errors of the database */
export const databaseFacts = async ({ db, pool }: Database): Promise<DatabaseFacts> => {
  const { rows: settings } = await pool.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) as name',
    [[...names, 'server_version']],
  );
  const settingOf = (name: string) => settings.find((one) => one.name === name)?.value ?? '';
  const before = Date.now();
  const { rows } = await pool.query<{ now: Date; size: number }>(
    'select clock_timestamp() as now, pg_database_size(current_database())::float8 as size',
  );
  const middle = (before + Date.now()) / 2;
  const applied = await appliedMigrations(db);
  const known = Object.keys(migrations);
  return {
    version: settingOf('server_version').split(' ')[0] ?? '',
    settings: {
      fsync: settingOf('fsync'),
      full_page_writes: settingOf('full_page_writes'),
      synchronous_commit: settingOf('synchronous_commit'),
      max_connections: settingOf('max_connections'),
      server_encoding: settingOf('server_encoding'),
    },
    clockAheadMs: (rows[0]?.now.getTime() ?? middle) - middle,
    sizeBytes: rows[0]?.size ?? 0,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
};
