import { type Kysely, sql } from 'kysely';

/** Passkeys (WebAuthn) of accounts. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table passkey (
      id uuid primary key default gen_random_uuid(),
      account_id uuid not null references account (id) on delete cascade,
      credential_id text not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      name text not null,
      created_at timestamptz not null default now(),
      used_at timestamptz
    )`.execute(db);
  await sql`create index passkey_account on passkey (account_id)`.execute(db);
};
