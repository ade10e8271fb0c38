import { type Kysely, sql } from 'kysely';

const statements = [
  // Files are shared by images of equal bytes, so a fault belongs to the file.
  `create table stored_file_fault (
    sha256 text primary key, kind text not null check (kind in ('damaged', 'missing')),
    since timestamptz not null default now(), checked_at timestamptz not null default now())`,
  'create index stored_file_fault_checked on stored_file_fault (checked_at)',
  `create table file_check (
    only_row boolean primary key default true check (only_row), position text not null default '',
    started_at timestamptz not null default now(), lease_owner text, lease_until timestamptz)`,
  'insert into file_check default values',
];

/** Stored files that are damaged or missing, and how far the background check of all files has come. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
