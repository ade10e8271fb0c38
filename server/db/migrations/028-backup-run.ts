import { type Kysely, sql } from 'kysely';

const statements = [
  `create table backup_run (
    id uuid primary key, started_at timestamptz not null, ended_at timestamptz,
    result text not null check (result in ('running', 'good', 'failed', 'cancelled')),
    is_automatic boolean not null, folder text not null,
    files bigint, size_bytes bigint, absent bigint, error text)`,
  'create index backup_run_started on backup_run (started_at desc)',
];

/** Runs of backups, automatic ones and those of the command. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
