import { type Kysely, sql } from 'kysely';

const statements = [
  // Earlier versions add devices without it.
  'alter table dicom_device add column asks_commitment boolean not null default false',
  // What a device asks the archive to confirm. The row goes when the device has the report.
  `create table commitment_request (
    id uuid primary key, customer_id uuid not null references customer on delete cascade,
    device_id uuid not null references dicom_device on delete cascade, transaction_uid text not null, objects jsonb not null,
    created_at timestamptz not null default now(), tries integer not null default 0, try_at timestamptz not null default now(),
    lease_owner text, lease_until timestamptz, unique (device_id, transaction_uid))`,
  'create index commitment_request_due on commitment_request (try_at)',
  // Whether the archive has an object of a device is looked up in what the device has sent lately.
  'create index import_task_of_source on import_task (source_id, created_at) where source_id is not null',
  // What the archive asks a device to confirm after sending.
  `alter table dicom_sending add column commitment text, add column commitment_uid text unique,
    add column commitment_until timestamptz`,
  'alter table dicom_sending_image add column committed boolean',
];

/** Storage commitment in both directions. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
