import { type Kysely, sql } from 'kysely';

const statements = [
  'alter table customer add column shares_links boolean not null default false',
  `create table shared_link (
    id uuid primary key, customer_id uuid not null references customer, patient_id uuid not null references patient,
    account_id uuid not null references account, made_at timestamptz not null default now(), expires_at timestamptz not null,
    recipient text not null, purpose text, question text, shows_patient boolean not null,
    confirmed_burned_in integer not null, secret_hash text, code_hash text,
    wrong_codes integer not null default 0, opened integer not null default 0, last_opened_at timestamptz,
    ended_at timestamptz, end_reason text check (end_reason in ('user', 'wrong-codes', 'clinic')),
    check ((ended_at is null) = (end_reason is null)))`,
  'create index shared_link_of_patient on shared_link (patient_id, made_at desc)',
  'create index shared_link_of_clinic on shared_link (customer_id) where ended_at is null',
  `create table shared_link_image (
    link_id uuid not null references shared_link, position integer not null, image_id uuid not null references image,
    primary key (link_id, position))`,
  'create index shared_link_image_of_image on shared_link_image (image_id)',
  `create table shared_link_opening (
    token_hash text primary key, link_id uuid not null references shared_link, expires_at timestamptz not null)`,
  'create index shared_link_opening_of_link on shared_link_opening (link_id)',
];

/** Links by which images are shared with recipients without an account. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
