import { randomBytes, randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { ordersAtMost } from '../../../contract/orders.ts';
import { uidOfUuid } from '../../../dicom/write/uid.ts';
import type { ImagingOrderTable } from '../order-tables.ts';
import type { Schema } from '../schema.ts';

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

/** Images of these studies have come: their orders have begun, where no device reports it. */
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
    .where('status', 'in', ['scheduled', 'cancelled'])
    .where('performed_step_id', 'is', null)
    .execute();
};
