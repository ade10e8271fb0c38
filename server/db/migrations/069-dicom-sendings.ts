import { type Kysely, sql } from 'kysely';

const statements = [
  'alter table dicom_device add column tls boolean not null default false',
  `create table dicom_sending (
    id uuid primary key, customer_id uuid not null references customer, patient_id uuid not null references patient on delete cascade,
    device_id uuid not null references dicom_device, created_by uuid not null references account on delete cascade,
    created_at timestamptz not null default now(), tries integer not null default 0, try_at timestamptz not null default now(),
    lease_owner text, lease_until timestamptz, failure text, cancelled boolean not null default false, ended_at timestamptz)`,
  'create index dicom_sending_waiting on dicom_sending (try_at) where ended_at is null',
  'create index dicom_sending_of_account on dicom_sending (created_by, customer_id)',
  'create index dicom_sending_of_patient on dicom_sending (patient_id)',
  // Versions before destroy images without knowing of this table.
  `create table dicom_sending_image (
    sending_id uuid not null references dicom_sending on delete cascade, image_id uuid not null references image on delete cascade,
    position integer not null, outcome text, status integer, primary key (sending_id, image_id))`,
  'create index dicom_sending_image_of_image on dicom_sending_image (image_id)',
];

/** Images on the way to DICOM devices. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
