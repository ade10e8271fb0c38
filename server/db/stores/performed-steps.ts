import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { PerformedStepTable } from '../order-tables.ts';
import type { Schema } from '../schema.ts';
import type { DicomDeviceRow } from './dicom-devices.ts';

export type StepStatus = PerformedStepTable['status'];

/** An order whose status a device has reported. */
interface ReportedOrder {
  readonly id: string;
  readonly patient_id: string;
}

/** A user may have cancelled an order because it is for the wrong patient, so no report of a device reopens it. */
const unlessCancelled = (status: StepStatus) =>
  sql<StepStatus>`case when imaging_order.status = 'cancelled' then 'cancelled' else ${status} end`;

/** Inserts a step that has begun, with the orders of the clinic that have these study UIDs. Null when the clinic has the step already. */
export const insertPerformedStep = async (
  transaction: Transaction<Schema>,
  { id: deviceId, customerId }: DicomDeviceRow,
  { sopInstanceUid, studyUids }: { readonly sopInstanceUid: string; readonly studyUids: readonly string[] },
): Promise<readonly ReportedOrder[] | null> => {
  const step = await transaction
    .insertInto('performed_step')
    .values({
      id: randomUUID(),
      customer_id: customerId,
      sop_instance_uid: sopInstanceUid,
      device_id: deviceId,
      status: 'in-progress',
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!step) return null;
  return transaction
    .updateTable('imaging_order')
    .set({ performed_step_id: step.id, status: unlessCancelled('in-progress') })
    .where('customer_id', '=', customerId)
    .where(sql<boolean>`study_uid = any(${[...studyUids]}::text[])`)
    .returning(['id', 'patient_id'])
    .execute();
};

/** Locks a step of the clinic until the transaction ends. */
export const lockPerformedStep = (
  transaction: Transaction<Schema>,
  customerId: string,
  sopInstanceUid: string,
): Promise<{ id: string; status: StepStatus } | undefined> =>
  transaction
    .selectFrom('performed_step')
    .select(['id', 'status'])
    .where('customer_id', '=', customerId)
    .where('sop_instance_uid', '=', sopInstanceUid)
    .forUpdate()
    .executeTakeFirst();

/** Ends a step and the orders of which it is the last one. */
export const endPerformedStep = async (
  transaction: Kysely<Schema>,
  id: string,
  status: StepStatus,
): Promise<readonly ReportedOrder[]> => {
  await transaction
    .updateTable('performed_step')
    .set({ status, changed_at: sql`now()` })
    .where('id', '=', id)
    .execute();
  return transaction
    .updateTable('imaging_order')
    .set({ status: unlessCancelled(status) })
    .where('performed_step_id', '=', id)
    .returning(['id', 'patient_id'])
    .execute();
};
