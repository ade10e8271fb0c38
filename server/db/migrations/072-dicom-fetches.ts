import { type Kysely, sql } from 'kysely';

const statements = [
  `create table dicom_fetch (
    id uuid primary key, customer_id uuid not null references customer, patient_id uuid not null references patient on delete cascade,
    device_id uuid not null references dicom_device, created_by uuid not null references account on delete cascade,
    created_at timestamptz not null default now(), tries integer not null default 0, try_at timestamptz not null default now(),
    lease_owner text, lease_until timestamptz, failure text, cancelled boolean not null default false, ended_at timestamptz)`,
  'create index dicom_fetch_waiting on dicom_fetch (try_at) where ended_at is null',
  'create index dicom_fetch_of_account on dicom_fetch (created_by, customer_id)',
  'create index dicom_fetch_of_patient on dicom_fetch (patient_id)',
  `create table dicom_fetch_study (
    fetch_id uuid not null references dicom_fetch on delete cascade, study_uid text not null, position integer not null,
    description text not null, study_date text, foreign_patient jsonb not null, is_confirmed boolean not null,
    is_listed boolean not null default false, outcome text, task_id uuid references import_task on delete set null,
    primary key (fetch_id, study_uid))`,
  'create index dicom_fetch_study_of_task on dicom_fetch_study (task_id)',
  `create table dicom_fetch_image (
    fetch_id uuid not null, study_uid text not null, sop_instance_uid text not null, series_uid text not null, sop_class_uid text,
    position integer not null, outcome text, primary key (fetch_id, study_uid, sop_instance_uid),
    foreign key (fetch_id, study_uid) references dicom_fetch_study on delete cascade)`,
];

/** Creates the tables of fetches: studies and images that users retrieve from DICOM devices, with the outcome of each. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
