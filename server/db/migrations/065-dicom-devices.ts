import { type Kysely, sql } from 'kysely';

const statements = [
  // Removed ones stay, because the access log names them.
  `create table dicom_device (
    id uuid primary key, customer_id uuid not null references customer, name text not null, ae_title text not null,
    address text not null, port integer, can_retrieve boolean not null, can_store boolean not null, at_once boolean not null,
    created_by uuid not null references account, created_at timestamptz not null default now(), removed_at timestamptz, contact_at timestamptz, contact text)`,
  // Title and address together admit a device, so they lead to one clinic.
  'create unique index dicom_device_caller on dicom_device (ae_title, address) where removed_at is null',
  // The destination of C-MOVE is named by its title alone.
  'create unique index dicom_device_destination on dicom_device (customer_id, ae_title) where removed_at is null',
];

/** Devices and programs that speak DICOM with the archive. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
