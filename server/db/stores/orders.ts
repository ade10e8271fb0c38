import { randomBytes, randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { dayOrdersAtMost, ordersAtMost } from '../../../contract/orders.ts';
import { uidOfUuid } from '../../../dicom/write/uid.ts';
import type { ImagingOrderTable } from '../order-tables.ts';
import type { Schema } from '../schema.ts';
import { isListable, type ListReader } from './listable-patients.ts';
import { all } from './search-terms.ts';

const orders = (db: Kysely<Schema>) =>
  db
    .selectFrom('imaging_order')
    .leftJoin('dicom_device', 'dicom_device.id', 'imaging_order.device_id')
    .selectAll('imaging_order')
    .select('dicom_device.name as device_name');

/** Newest first. */
export const ordersOf = (db: Kysely<Schema>, patientId: string) =>
  orders(db)
    .where('patient_id', '=', patientId)
    .orderBy('imaging_order.created_at', 'desc')
    .orderBy('imaging_order.id')
    .limit(ordersAtMost)
    .execute();

export type OrderRow = Awaited<ReturnType<typeof ordersOf>>[number];

export const findOrder = (db: Kysely<Schema>, id: string): Promise<OrderRow | undefined> =>
  orders(db).where('imaging_order.id', '=', id).executeTakeFirst();

/** Returns the orders of a clinic for a day, with their patients, in the order of their time. */
export const ordersOfDay = (db: Kysely<Schema>, reader: ListReader, day: string) =>
  orders(db)
    .innerJoin('patient', 'patient.id', 'imaging_order.patient_id')
    .select(['patient.first_name', 'patient.last_name', 'patient.personal_number', 'patient.has_protected_identity'])
    .where('imaging_order.customer_id', '=', reader.customerId)
    .where('scheduled_day', '=', day)
    .where('patient.deleted_at', 'is', null)
    .where(all(isListable(sql<string>`patient.id`, reader)))
    .orderBy('scheduled_time')
    .orderBy('imaging_order.created_at')
    .orderBy('imaging_order.id')
    .limit(dayOrdersAtMost)
    .execute();

/** Returns the order whose images have this Study Instance UID. */
export const orderOfStudy = (db: Kysely<Schema>, customerId: string, studyUid: string): Promise<OrderRow | undefined> =>
  orders(db).where('imaging_order.customer_id', '=', customerId).where('study_uid', '=', studyUid).executeTakeFirst();

/** Letters and digits that are not mistaken for others. */
const signs = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** The day and 30 random bits: typed from a list when a device cannot ask for it. */
const newAccessionNumber = (): string =>
  `D${new Date().toISOString().slice(2, 10).replaceAll('-', '')}${[...randomBytes(6)].map((byte) => signs[byte % 32]).join('')}`;

type NewOrder = Pick<
  ImagingOrderTable,
  | 'customer_id'
  | 'patient_id'
  | 'procedure_text'
  | 'modality'
  | 'device_id'
  | 'scheduled_day'
  | 'scheduled_time'
  | 'comment'
  | 'created_by'
>;

/** Inserts an order with a new study UID and accession number, and returns its id. */
export const insertOrder = async (transaction: Transaction<Schema>, order: NewOrder): Promise<string> => {
  for (;;) {
    const made = await transaction
      .insertInto('imaging_order')
      .values({
        ...order,
        id: randomUUID(),
        study_uid: uidOfUuid(randomUUID()),
        accession_number: newAccessionNumber(),
      })
      .onConflict((conflict) => conflict.columns(['customer_id', 'accession_number']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made) return made.id;
  }
};

/** Locks an order, and returns what decides whether it can be changed. */
export const lockOrder = (transaction: Transaction<Schema>, id: string) =>
  transaction
    .selectFrom('imaging_order')
    .select(['status', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Changes what an order asks for. */
export const updateOrder = async (
  transaction: Transaction<Schema>,
  id: string,
  values: Omit<NewOrder, 'customer_id' | 'patient_id' | 'created_by'>,
): Promise<void> => {
  await transaction
    .updateTable('imaging_order')
    .set((row) => ({ ...values, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
};

/** Ends an open order: cancelled, or discontinued when it has begun. Returns false when it has ended. */
export const cancelOrder = async (transaction: Transaction<Schema>, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await transaction
    .updateTable('imaging_order')
    .set({ status: sql`case status when 'scheduled' then 'cancelled' else 'discontinued' end` })
    .where('id', '=', id)
    .where('status', 'in', ['scheduled', 'in-progress'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Images of these studies have come: their orders have begun, where no device reports it. A cancelled order stays so. */
export const noteOrdersBegun = async (
  db: Kysely<Schema>,
  { customerId, patientId }: { readonly customerId: string; readonly patientId: string },
  studyUids: readonly string[],
): Promise<void> => {
  if (studyUids.length === 0) return;
  await db
    .updateTable('imaging_order')
    .set({ status: 'in-progress' })
    .where('customer_id', '=', customerId)
    .where('patient_id', '=', patientId)
    .where('study_uid', 'in', studyUids)
    .where('status', '=', 'scheduled')
    .where('performed_step_id', 'is', null)
    .execute();
};
