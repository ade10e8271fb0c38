import { type Kysely, sql } from 'kysely';

const statements = [
  // The secret is stored as its hash. `invites_in`: the language of invitations for new users; null sends none.
  `create table directory_token (
    id uuid primary key, customer_id uuid not null references customer, name text not null, token_hash text not null unique,
    invites_in text, created_by uuid not null references account, created_at timestamptz not null default now(),
    expires_at timestamptz not null, used_at timestamptz)`,
  'create index directory_token_of_clinic on directory_token (customer_id, created_at)',
  'alter table account add column external_id text',
];

/** Tokens of the directories that administer the users of a clinic, and the id that a user has there. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
