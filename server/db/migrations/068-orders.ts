import { type Kysely, sql } from 'kysely';

const statements = [
  // Earlier versions add devices without it.
  'alter table dicom_device add column sees_worklist boolean not null default false',
  // A step that a device reports (MPPS). It names no patient.
  `create table performed_step (
    id uuid primary key, customer_id uuid not null references customer, sop_instance_uid text not null,
    device_id uuid not null references dicom_device, status text not null check (status in ('in-progress', 'completed', 'discontinued')),
    created_at timestamptz not null default now(), changed_at timestamptz not null default now(),
    unique (customer_id, sop_instance_uid))`,
  `create table imaging_order (
    id uuid primary key, customer_id uuid not null references customer, patient_id uuid not null references patient,
    study_uid text not null, accession_number text not null,
    procedure_text text not null, modality text not null, device_id uuid references dicom_device,
    scheduled_day date not null, scheduled_time text not null,
    comment text not null, created_by uuid not null references account, created_at timestamptz not null default now(),
    status text not null default 'scheduled'
      check (status in ('scheduled', 'in-progress', 'completed', 'discontinued', 'cancelled')),
    performed_step_id uuid references performed_step,
    unique (customer_id, study_uid), unique (customer_id, accession_number))`,
  'create index imaging_order_patient on imaging_order (patient_id)',
  'create index imaging_order_step on imaging_order (performed_step_id) where performed_step_id is not null',
  `create index imaging_order_open on imaging_order (customer_id, scheduled_day, scheduled_time)
    where status in ('scheduled', 'in-progress')`,
];

/** Orders of images, and the steps that devices report. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
