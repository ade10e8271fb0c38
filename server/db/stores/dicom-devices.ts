import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { DicomContact } from '../../../contract/dicom-devices.ts';
import type { ListLanguage } from '../../domain/list-language.ts';
import { inListOrder } from '../list-order.ts';
import type { Schema } from '../schema.ts';

const devices = (db: Kysely<Schema>) =>
  db
    .selectFrom('dicom_device')
    .innerJoin('customer', 'customer.id', 'dicom_device.customer_id')
    .select(['dicom_device.id', 'dicom_device.customer_id as customerId', 'dicom_device.name', 'ae_title as aeTitle'])
    .select([
      'dicom_device.address',
      'port',
      'tls',
      'can_retrieve as canRetrieve',
      'dicom_device.created_at as createdAt',
    ])
    .select([
      'can_store as canStore',
      'at_once as atOnce',
      'sees_worklist as seesWorklist',
      'asks_commitment as asksCommitment',
      'contact_at as contactAt',
      'contact',
    ])
    .where('removed_at', 'is', null)
    .where('customer.deleted_at', 'is', null);

/** By name. */
export const dicomDevicesOf = (db: Kysely<Schema>, customerId: string, language: ListLanguage) =>
  devices(db)
    .where('customer_id', '=', customerId)
    .orderBy(inListOrder(sql`list_key(dicom_device.name)`, language))
    .orderBy('dicom_device.id')
    .execute();

export type DicomDeviceRow = Awaited<ReturnType<typeof dicomDevicesOf>>[number];

export const dicomDeviceById = (
  db: Kysely<Schema>,
  { customerId, id }: { readonly customerId: string; readonly id: string },
): Promise<DicomDeviceRow | undefined> =>
  devices(db).where('customer_id', '=', customerId).where('dicom_device.id', '=', id).executeTakeFirst();

/** Returns the device that calls by this title from this address. */
export const dicomDeviceCalling = (
  db: Kysely<Schema>,
  { aeTitle, address }: { readonly aeTitle: string; readonly address: string },
): Promise<DicomDeviceRow | undefined> =>
  devices(db).where('ae_title', '=', aeTitle).where('dicom_device.address', '=', address).executeTakeFirst();

/** Returns the device of the clinic that accepts associations under this title. */
export const dicomDestination = async (
  db: Kysely<Schema>,
  { customerId, aeTitle }: { readonly customerId: string; readonly aeTitle: string },
): Promise<DicomDeviceRow | undefined> =>
  devices(db).where('customer_id', '=', customerId).where('ae_title', '=', aeTitle).executeTakeFirst();

interface NewDicomDevice
  extends Pick<
    DicomDeviceRow,
    'customerId' | 'name' | 'aeTitle' | 'address' | 'port' | 'canRetrieve' | 'canStore' | 'atOnce' | 'seesWorklist'
  > {
  readonly tls?: boolean;
  readonly asksCommitment?: boolean;
  readonly createdBy: string;
}

/** Returns its id; null when its title is taken, at the clinic or from this address. */
export const insertDicomDevice = async (
  transaction: Transaction<Schema>,
  { tls = false, asksCommitment = false, ...device }: NewDicomDevice,
): Promise<string | null> => {
  const { customerId, name, aeTitle, address, port, canRetrieve, canStore, atOnce, seesWorklist, createdBy } = device;
  const added = await transaction
    .insertInto('dicom_device')
    .values({
      id: randomUUID(),
      customer_id: customerId,
      name,
      ae_title: aeTitle,
      address,
      port,
      tls,
      can_retrieve: canRetrieve,
      can_store: canStore,
      at_once: atOnce,
      sees_worklist: seesWorklist,
      asks_commitment: asksCommitment,
      created_by: createdBy,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return added?.id ?? null;
};

interface DicomDeviceChange extends Omit<NewDicomDevice, 'createdBy' | 'tls' | 'asksCommitment'> {
  readonly id: string;
  readonly tls: boolean;
  readonly asksCommitment: boolean;
}

/** Returns whether another device has the title at the clinic, or calls by it from this address. */
const isTaken = async (
  db: Kysely<Schema>,
  { id, customerId, aeTitle, address }: Pick<DicomDeviceChange, 'id' | 'customerId' | 'aeTitle' | 'address'>,
): Promise<boolean> => {
  const other = await db
    .selectFrom('dicom_device')
    .select('id')
    .where('removed_at', 'is', null)
    .where('id', '!=', id)
    .where('ae_title', '=', aeTitle)
    .where((where) => where.or([where('customer_id', '=', customerId), where('address', '=', address)]))
    .executeTakeFirst();
  return other !== undefined;
};

/** Changes a device of a clinic. False when its title is taken, at the clinic or from this address. The last contact was with the device as it was. */
export const updateDicomDevice = async (
  transaction: Transaction<Schema>,
  device: DicomDeviceChange,
): Promise<boolean> => {
  if (await isTaken(transaction, device)) return false;
  const { id, customerId, name, aeTitle, address, port, tls, asksCommitment } = device;
  const { canRetrieve, canStore, atOnce, seesWorklist } = device;
  await transaction
    .updateTable('dicom_device')
    .set({
      name,
      ae_title: aeTitle,
      address,
      port,
      tls,
      can_retrieve: canRetrieve,
      can_store: canStore,
      at_once: atOnce,
      sees_worklist: seesWorklist,
      asks_commitment: asksCommitment,
    })
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .where('removed_at', 'is', null)
    .execute();
  return true;
};

/** Ends the access of a device. */
export const removeDicomDevice = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db
    .updateTable('dicom_device')
    .set({ removed_at: sql`now()` })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .execute();
};

/** Notes the last contact with a device. */
export const noteDicomContact = async (db: Kysely<Schema>, id: string, contact: DicomContact): Promise<void> => {
  await db.updateTable('dicom_device').set({ contact_at: sql`now()`, contact }).where('id', '=', id).execute();
};

/** Serializes changes of devices until the transaction ends: a title and address is that of one clinic. */
export const lockDicomDevices = async (transaction: Transaction<Schema>): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('dicom devices', 0))`.execute(transaction);
};
