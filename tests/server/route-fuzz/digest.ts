import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../server/db/schema.ts';

/** Written by refused calls, sign-ins and jobs. */
const leftOut = [
  'kysely_migration',
  'kysely_migration_lock',
  'access_log',
  'access_log_seal',
  'archive_files',
  'sign_in_attempt',
  'oidc',
  'node',
];

export const tableNames = async (db: Kysely<Schema>): Promise<readonly string[]> => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`.execute(db);
  return rows.map(({ name }) => name).filter((name) => !leftOut.includes(name));
};

export type Digest = Readonly<Record<string, string>>;

/** Returns the number of rows of each table and a hash of all of them. */
export const digestOf = async (db: Kysely<Schema>, tables: readonly string[]): Promise<Digest> => {
  const parts = tables.map(
    (name) => sql`select ${name}::text as name,
      count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as rows from ${sql.table(name)} t`,
  );
  const { rows } = await sql<{ name: string; rows: string }>`${sql.join(parts, sql` union all `)}`.execute(db);
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]));
};

export const changedTables = (before: Digest, after: Digest): readonly string[] =>
  Object.keys(after).filter((name) => before[name] !== after[name]);

const stillMs = 60;

/** Returns the digest once it no longer changes: jobs go on after the reply of a call that succeeded. */
export const settledDigest = async (db: Kysely<Schema>, tables: readonly string[]): Promise<Digest> => {
  let last = await digestOf(db, tables);
  for (let equal = 0; equal < 2; ) {
    await new Promise((resolve) => setTimeout(resolve, stillMs));
    const next = await digestOf(db, tables);
    equal = changedTables(last, next).length === 0 ? equal + 1 : 0;
    last = next;
  }
  return last;
};
