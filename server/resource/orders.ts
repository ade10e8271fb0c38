import type { z } from 'zod';
import { type Order, type orderCreate, type orderList, order as orderReply } from '../../contract/orders.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { dicomDevicesOf } from '../db/stores/dicom-devices.ts';
import { cancelOrder, findOrder, insertOrder, type OrderRow, ordersOf } from '../db/stores/orders.ts';
import { lockPatient } from '../db/stores/patients.ts';
import type { ListLanguage } from '../domain/list-language.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { requireAccessiblePatient } from './accessible-patient.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { accessTo } from './record-access.ts';

interface OrderCall {
  readonly principal: Principal;
  readonly language: ListLanguage;
}
type NewOrder = Omit<z.output<NonNullable<typeof orderCreate.body>>, 'patientId'>;

const orderOf = (row: OrderRow): Order => ({
  id: row.id,
  patientId: row.patient_id,
  procedure: row.procedure_text,
  modality: orderReply.shape.modality.parse(row.modality),
  day: row.scheduled_day,
  time: row.scheduled_time,
  comment: row.comment,
  station: row.device_id === null ? null : { id: row.device_id, name: row.device_name ?? '' },
  status: row.status,
  studyUid: row.study_uid,
  accessionNumber: row.accession_number,
  createdAt: row.created_at.toISOString(),
});

/** Returns what users and service accounts do with the orders of a patient whom they may access. */
export const createOrders = ({ db, accessLog, events }: Pick<ResourceDependencies, 'db' | 'accessLog' | 'events'>) => {
  const stationsOf = async (from: typeof db, customerId: string, language: ListLanguage) =>
    (await dicomDevicesOf(from, customerId, language)).filter(({ seesWorklist }) => seesWorklist);

  const list = async (
    { principal, language }: OrderCall,
    patientId: string,
  ): Promise<z.input<typeof orderList.reply>> => {
    const patient = await requireAccessiblePatient(db, principal, patientId);
    const rows = await ordersOf(db, patient.id);
    // Where nothing was ordered, nothing was read.
    if (rows.length > 0)
      await accessLog.note({
        accountId: principal.accountId,
        customerId: patient.customer_id,
        patientId: patient.id,
        action: 'order.listed',
        objectId: null,
      });
    const stations = await stationsOf(db, patient.customer_id, language);
    return {
      orders: rows.map(orderOf),
      stations: stations.map(({ id, name, aeTitle }) => ({ id, name, aeTitle })),
    };
  };

  const create = async ({ principal, language }: OrderCall, patientId: string, order: NewOrder): Promise<Order> => {
    const { patient, row } = await db.transaction().execute(async (transaction) => {
      const patient = await requireAccessiblePatient(transaction, principal, patientId);
      if (!(await lockPatient(transaction, patient.id))) throw new ProblemError('not-found');
      const stations = await stationsOf(transaction, patient.customer_id, language);
      if (order.stationId !== null && !stations.some(({ id }) => id === order.stationId))
        throw new ProblemError('invalid-request', [{ fieldKey: 'stationId' }]);
      const id = await insertOrder(transaction, {
        customer_id: patient.customer_id,
        patient_id: patient.id,
        procedure_text: order.procedure,
        modality: order.modality,
        device_id: order.stationId,
        scheduled_day: order.day,
        scheduled_time: order.time,
        comment: order.comment,
        created_by: principal.accountId,
      });
      const row = requireAccessible(principal, await findOrder(transaction, id));
      await insertAccesses(transaction, [{ at: new Date(), ...accessTo(principal, row, 'order.created') }]);
      return { patient, row };
    });
    await events.patientChanged({ principal, customerId: patient.customer_id, patientId: patient.id });
    return orderOf(row);
  };

  /** @throws ProblemError 'not-found'; 'conflict' when the order has ended */
  const cancel = async ({ principal }: OrderCall, id: string): Promise<void> => {
    const row = await db.transaction().execute(async (transaction) => {
      const found = requireAccessible(principal, await findOrder(transaction, id));
      await requireAccessiblePatient(transaction, principal, found.patient_id);
      if (!(await cancelOrder(transaction, found.id))) throw new ProblemError('conflict');
      await insertAccesses(transaction, [{ at: new Date(), ...accessTo(principal, found, 'order.cancelled') }]);
      return found;
    });
    await events.patientChanged({ principal, customerId: row.customer_id, patientId: row.patient_id });
  };

  return { list, create, cancel };
};
