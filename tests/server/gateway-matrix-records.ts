import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../server/db/schema.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';
import { moveToClinic } from './gateway-under-test.ts';

/** What a device can name of a clinic; all UIDs lie below one root. */
export interface MatrixRecord {
  readonly root: string;
  readonly name: string;
  readonly number: string;
}

/** Of the own clinic, of another one, and of none. All have the same length, as lengths are seen in answers. */
export const records = {
  own: { root: '2.25.501', name: 'Hemlig501', number: '19800101-0501' },
  other: { root: '2.25.502', name: 'Hemlig502', number: '19800101-0502' },
  none: { root: '2.25.503', name: 'Hemlig503', number: '19800101-0503' },
} as const satisfies Record<string, MatrixRecord>;

export const studyOf = ({ root }: MatrixRecord): string => `${root}.1`;
export const orderOf = ({ root }: MatrixRecord): string => `${root}.7`;
export const newStepOf = ({ root }: MatrixRecord): string => `${root}.8`;
export const stepOf = ({ root }: MatrixRecord): string => `${root}.9`;
export const transactionOf = ({ root }: MatrixRecord): string => `${root}.10`;
export const destinationOf = ({ root }: MatrixRecord): string => `VIEWER${root.slice(-3)}`;

interface Place {
  readonly customerId: string;
  readonly createdBy: string;
  /** Ports of the device that reports of commitment are sent to, and of the destination of C-MOVE. */
  readonly ports: { readonly unit: number; readonly viewer: number };
  /** Title of a device with all rights. */
  readonly aeTitle: string;
}

export const allRights = { canRetrieve: true, canStore: true, seesWorklist: true, asksCommitment: true } as const;

/** Adds a patient with two images, an order, a step, a sending that was asked for commitment, and devices. */
export const addMatrixRecord = async (
  archive: ArchiveUnderTest,
  gateway: GatewayUnderTest,
  record: MatrixRecord,
  { customerId, createdBy, ports, aeTitle }: Place,
): Promise<void> => {
  const { db } = archive;
  const { root, name, number } = record;
  const files = [1, 2].map((index) => objectAt(root, { PatientID: number, PatientName: name }, index));
  const patientId = await dicomWebOf(archive).addPatient({ personalNumber: number, lastName: name }, files);
  await moveToClinic(db, patientId, customerId);
  const device = { customerId, address: '127.0.0.1', createdBy };
  const deviceId = await gateway.addDevice({ ...device, ...allRights, name: aeTitle, aeTitle, port: ports.unit });
  const viewer = destinationOf(record);
  await gateway.addDevice({ ...device, name: viewer, aeTitle: viewer, port: ports.viewer, canRetrieve: false });
  const common = { customer_id: customerId, patient_id: patientId, created_by: createdBy };
  await db
    .insertInto('imaging_order')
    .values({
      ...common,
      id: randomUUID(),
      study_uid: orderOf(record),
      accession_number: root.slice(-3),
      procedure_text: name,
      modality: 'PX',
      device_id: null,
      scheduled_day: '2026-01-31',
      scheduled_time: '09:30',
      comment: '',
    })
    .execute();
  const step = { customer_id: customerId, device_id: deviceId, status: 'in-progress' as const };
  await db
    .insertInto('performed_step')
    .values({ ...step, id: randomUUID(), sop_instance_uid: stepOf(record) })
    .execute();
  const until = new Date(Date.now() + 3_600_000);
  await db
    .insertInto('dicom_sending')
    .values({
      ...common,
      id: randomUUID(),
      device_id: deviceId,
      lease_owner: null,
      lease_until: null,
      failure: null,
      ended_at: new Date(),
      commitment: 'asked',
      commitment_uid: transactionOf(record),
      commitment_until: until,
    })
    .execute();
};

/** Every row of every table that belongs to a clinic, as text. */
export const rowsOfClinic = async (db: Kysely<Schema>, customerId: string): Promise<readonly string[]> => {
  const tables = await sql<{ name: string }>`select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'customer_id' order by 1`.execute(db);
  const rows: string[] = [];
  for (const { name } of tables.rows) {
    const found = await sql<{ row: string }>`select to_jsonb(one)::text as row from ${sql.table(name)} one
      where customer_id = ${customerId} order by 1`.execute(db);
    rows.push(...found.rows.map(({ row }) => `${name} ${row}`));
  }
  return rows;
};
