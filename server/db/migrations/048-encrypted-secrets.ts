import { type Kysely, sql } from 'kysely';

const statements = [
  `create table data_key (
    id text primary key, master_key_id text not null, encrypted text not null, created_at timestamptz not null default now())`,
  'create unique index data_key_only on data_key ((true))',
  // Nodes of earlier versions do not write it: nothing is encrypted while they run.
  'alter table node add column reads_encrypted boolean not null default false',
  // As `hashedToken`. Earlier versions go on writing ids, which are recognized too.
  `update oidc set grant_id = rtrim(translate(encode(sha256(convert_to(grant_id, 'UTF8')), 'base64'), '+/', '-_'), '=')
    where grant_id is not null`,
];

/** Secrets are encrypted by the program, with a key that the master key encrypts; grants are stored by their hashes. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
