import { type Kysely, sql } from 'kysely';

const statements = [
  // The key counts from the moment in which its first code was verified; until then it waits in `two_factor_offer`.
  `alter table account add column two_factor_key text, add column two_factor_offer text, add column two_factor_step bigint`,
  `create index account_personal_digits on account ((regexp_replace(personal_number, '\\D', '', 'g'))) where deleted_at is null`,
  `create index account_azure_username on account (lower(azure_username)) where deleted_at is null`,
  `create table recovery_code (
    account_id uuid not null references account, code_hash text not null, used_at timestamptz, primary key (account_id, code_hash))`,
  `create table password_reset (
    key_hash text primary key, account_id uuid not null references account, expires_at timestamptz not null)`,
  'create index password_reset_account on password_reset (account_id)',
  // What a sign-in has reached between two calls: an order, a code that was sent, a state of a provider elsewhere.
  'create table pending_sign_in (key text primary key, payload jsonb not null, expires_at timestamptz not null)',
  'create index pending_sign_in_expires on pending_sign_in (expires_at)',
  `create table setting (
    name text primary key, value jsonb not null, changed_at timestamptz not null default now(), changed_by uuid)`,
  'alter table oidc add column account_id uuid',
  `update oidc set account_id = (payload ->> 'accountId')::uuid where payload ->> 'accountId' is not null`,
  'create index oidc_account on oidc (account_id)',
  // A sign-in may be of nobody, and a super administrator belongs to no clinic.
  'alter table access_log alter column account_id drop not null, alter column customer_id drop not null, add column detail text',
];

/** Two-factor, reset of passwords, sign-ins by other methods, and settings that administrators make. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
