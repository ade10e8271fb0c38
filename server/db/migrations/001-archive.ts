import { type Kysely, sql } from 'kysely';

/** The tables of the first version. Statements stand in the order in which they refer to each other. */
const statements = [
  'create extension if not exists pg_trgm',
  `create table customer (
    id uuid primary key, name text not null, organisation_number text, customer_number text, address text, city text, zipcode text,
    telephone text, description text, license text, proxy_use boolean not null default false, version integer not null default 1,
    created_at timestamptz not null default now(), deleted_at timestamptz)`,
  `create table role (id uuid primary key, name text not null unique, rank integer not null, claims text[] not null)`,
  `create table account (
    id uuid primary key, email text not null, first_name text not null, last_name text not null, personal_number text, telephone text,
    hired_since date, is_active boolean not null default true, customer_id uuid references customer, role_id uuid not null references role,
    avatar_link text, azure_username text, password_hash text not null, security_stamp uuid not null,
    created_at timestamptz not null default now(), deleted_at timestamptz)`,
  'create unique index account_email on account (lower(email)) where deleted_at is null',
  'create index account_customer on account (customer_id)',
  `create table oidc (
    type text not null, id text not null, payload jsonb not null, grant_id text, uid text, user_code text,
    expires_at timestamptz, consumed_at timestamptz, primary key (type, id))`,
  'create index oidc_grant on oidc (grant_id)',
  'create index oidc_uid on oidc (uid)',
  'create index oidc_expires on oidc (expires_at)',
  'create table secret (name text primary key, value text not null)',
  `create table patient (
    id uuid primary key, customer_id uuid not null references customer, personal_number text not null, first_name text not null,
    last_name text not null, birth_date date, sex text check (sex in ('F', 'M', 'O')), comments text, search_text text not null,
    search_digits text not null, last_study_date date, version integer not null default 1,
    entered_date timestamptz not null default now(), modified_date timestamptz not null default now(), deleted_at timestamptz)`,
  'create unique index patient_personal_number on patient (customer_id, search_digits) where deleted_at is null',
  'create index patient_name on patient (customer_id, last_name, first_name, id) where deleted_at is null',
  'create index patient_search_text on patient using gin (search_text gin_trgm_ops)',
  'create index patient_search_digits on patient using gin (search_digits gin_trgm_ops)',
  `create table study (
    id uuid primary key, customer_id uuid not null references customer, patient_id uuid not null references patient, uid text not null,
    description text not null, study_date date, accession_number text, created_at timestamptz not null default now(),
    deleted_at timestamptz, unique (customer_id, uid))`,
  'create index study_patient on study (patient_id, study_date desc)',
  `create table series (
    id uuid primary key, study_id uuid not null references study, uid text not null, modality text not null, number integer,
    description text, unique (study_id, uid))`,
  `create table image (
    id uuid primary key, customer_id uuid not null references customer, series_id uuid not null references series,
    sop_instance_uid text not null, sop_class_uid text, kind text not null check (kind in ('image', 'document')),
    source text not null check (source in ('dicom', 'picture')), sha256 text not null, size_bytes bigint not null, file_name text not null,
    original_sha256 text, number integer, rows integer not null, columns integer not null, frames integer not null,
    transfer_syntax text not null, compression text not null check (compression in ('none', 'lossless', 'lossy')),
    teeth integer[] not null default '{}', laterality text check (laterality in ('L', 'R', 'B')), acquired_at text, comments text,
    sensor_type text, thumb_status text not null default 'pending' check (thumb_status in ('pending', 'ready', 'error')),
    created_at timestamptz not null default now(), deleted_at timestamptz, unique (customer_id, sop_instance_uid))`,
  'create index image_series on image (series_id, number)',
  `create index image_thumb_pending on image (created_at) where thumb_status = 'pending'`,
  `create table template (
    id uuid primary key, name text not null, width double precision not null, height double precision not null, modality text not null,
    is_favorite boolean not null default false, items jsonb not null)`,
  `create table viewset (
    id uuid primary key, study_id uuid not null references study, name text not null, comments text, template_id uuid,
    width double precision not null, height double precision not null, version integer not null default 1,
    created_at timestamptz not null default now(), deleted_at timestamptz)`,
  'create index viewset_study on viewset (study_id)',
  `create table viewset_item (
    viewset_id uuid not null references viewset, item_index integer not null, capture_order integer not null,
    x_pos double precision not null, y_pos double precision not null, width double precision not null, height double precision not null,
    rotation integer not null, horizontal_flip boolean not null, teeth integer[] not null, description text,
    image_id uuid references image, primary key (viewset_id, item_index))`,
  'create unique index viewset_item_image on viewset_item (viewset_id, image_id) where image_id is not null',
  'create index viewset_item_of_image on viewset_item (image_id)',
  `create table import_task (
    id uuid primary key, customer_id uuid not null references customer, patient_id uuid not null references patient,
    account_id uuid not null references account, step smallint not null check (step between 0 and 5), percent smallint not null default 0,
    error boolean not null default false, total_files integer not null, mismatch_confirmed boolean not null default false,
    lease_owner text, lease_until timestamptz, created_at timestamptz not null default now(), updated_at timestamptz not null default now())`,
  'create index import_task_patient on import_task (patient_id, created_at desc)',
  'create index import_task_open on import_task (step) where step < 5',
  `create table import_file (
    id uuid primary key, task_id uuid not null references import_task, file_name text not null, size_bytes bigint not null,
    sha256 text not null, status text not null check (status in ('received', 'parsed', 'imported', 'duplicate', 'refused')),
    problem text, detail text, summary jsonb, named_patient jsonb, modality text, image_id uuid references image,
    received_at timestamptz not null default now())`,
  'create index import_file_task on import_file (task_id, received_at, id)',
  `create table access_log (
    id bigint generated always as identity primary key, at timestamptz not null default now(), account_id uuid not null,
    customer_id uuid not null, patient_id uuid, action text not null, object_id text)`,
  'create index access_log_patient on access_log (patient_id, at)',
  'create table seed_state (name text primary key, value jsonb not null)',
];

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
