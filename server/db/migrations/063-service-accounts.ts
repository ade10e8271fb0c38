import { type Kysely, sql } from 'kysely';

const statements = [
  // The secret is stored as its hash. Revoked ones stay, because the access log names them.
  `create table service_account (
    id uuid primary key, name text not null, secret_hash text not null unique, scopes text[] not null,
    created_by uuid not null references account, created_at timestamptz not null default now(),
    expires_at timestamptz not null, used_at timestamptz, revoked_at timestamptz)`,
  `create table service_account_clinic (
    service_account_id uuid not null references service_account, customer_id uuid not null references customer,
    primary key (service_account_id, customer_id))`,
  'create index service_account_of_clinic on service_account_clinic (customer_id)',
];

/** Accounts by which other programs call DICOMweb. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
