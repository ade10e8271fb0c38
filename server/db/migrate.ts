import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StartupError } from '../startup-error.ts';
import { migrations } from './migrations.ts';
import type { Schema } from './schema.ts';

/** Returns the names of the migrations that the database has. */
export const appliedMigrations = async (db: Kysely<Schema>): Promise<string[]> => {
  const { rows: tables } = await sql<{
    found: string | null;
  }>`select to_regclass('kysely_migration')::text as found`.execute(db);
  if (!tables[0]?.found) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map((row) => row.name);
};

/** Migrates an empty database to the version that had these migrations. @throws StartupError for a newer version */
export const migrateTo = async (db: Kysely<Schema>, names: readonly string[]): Promise<void> => {
  const unknown = names.find((name) => !Object.hasOwn(migrations, name));
  if (unknown !== undefined)
    throw new StartupError(`The data is of a newer version (it has "${unknown}"): use that version instead`);
  const chosen = Object.fromEntries(names.map((name) => [name, migrations[name] as Migration]));
  await migrate(db, chosen);
};

const isDeadlock = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '40P01';

/**
 * Migrates the tables to this version. Throws StartupError for a database with unknown migrations: an older program must never write to the
 * data of a newer one. Several nodes may call it at once.
 */
export const migrate = async (
  db: Kysely<Schema>,
  available: Readonly<Record<string, Migration>> = migrations,
): Promise<{ changed: boolean }> => {
  const foreign = (await appliedMigrations(db)).filter((name) => !Object.hasOwn(available, name));
  if (foreign.length > 0)
    throw new StartupError(
      `This is the data folder of a newer version (it holds "${foreign[0]}"): start that version instead`,
    );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...available }) } });
  for (;;) {
    const { error, results } = await migrator.migrateToLatest();
    if (!error) return { changed: (results?.length ?? 0) > 0 };
    // A node that serves meanwhile may wait for tables in another order: PostgreSQL ends one of the two.
    if (!isDeadlock(error)) throw error;
  }
};
