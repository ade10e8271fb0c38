import {
  type Order,
  type OrderPatient,
  type orderDay,
  type orderList,
  order as orderReply,
  type orderUpdate,
} from '../../contract/orders.ts';
import type { BodyOf, ReplyOf } from '../../contract/route.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { dicomDevicesOf } from '../db/stores/dicom-devices.ts';
import {
  cancelOrder,
  findOrder,
  insertOrder,
  lockOrder,
  type OrderRow,
  ordersOf,
  ordersOfDay,
  updateOrder,
} from '../db/stores/orders.ts';
import { lockPatient } from '../db/stores/patients.ts';
import type { ListLanguage } from '../domain/list-language.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { seesProtected } from '../domain/policy/sees-protected.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { requireAccessiblePatient } from './accessible-patient.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { accessTo } from './record-access.ts';

interface OrderCall {
  readonly principal: Principal;
  readonly language: ListLanguage;
}
type OrderChange = BodyOf<typeof orderUpdate>;
type NewOrder = Omit<OrderChange, 'id' | 'version'>;

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
  version: row.version,
  isReported: row.performed_step_id !== null,
});

const patientOf = (row: Awaited<ReturnType<typeof ordersOfDay>>[number]): OrderPatient => ({
  id: row.patient_id,
  firstName: row.first_name,
  lastName: row.last_name,
  personalNumber: row.personal_number,
  protectedIdentity: row.has_protected_identity,
});

/** What users enter. */
const valuesOf = (order: NewOrder) => ({
  procedure_text: order.procedure,
  modality: order.modality,
  device_id: order.stationId,
  scheduled_day: order.day,
  scheduled_time: order.time,
  comment: order.comment,
});

/** Returns what users and service accounts do with the orders of a patient whom they may access. */
export const createOrders = ({ db, accessLog, events }: Pick<ResourceDependencies, 'db' | 'accessLog' | 'events'>) => {
  const stationsOf = async (from: typeof db, customerId: string, language: ListLanguage) =>
    (await dicomDevicesOf(from, customerId, language))
      .filter(({ seesWorklist }) => seesWorklist)
      .map(({ id, name, aeTitle }) => ({ id, name, aeTitle }));

  const requireStation = async (from: typeof db, customerId: string, language: ListLanguage, id: string | null) => {
    const stations = id === null ? [] : await stationsOf(from, customerId, language);
    if (id !== null && !stations.some((station) => station.id === id))
      throw new ProblemError('invalid-request', [{ fieldKey: 'stationId' }]);
  };

  const list = async ({ principal, language }: OrderCall, patientId: string): Promise<ReplyOf<typeof orderList>> => {
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
    return { orders: rows.map(orderOf), stations: await stationsOf(db, patient.customer_id, language) };
  };

  const ofDay = async (
    { principal, language }: OrderCall,
    customerId: string,
    day: string,
  ): Promise<ReplyOf<typeof orderDay>> => {
    if (!canUseClinic(principal, customerId)) throw new ProblemError('not-found');
    const rows = await ordersOfDay(db, { customerId, seesProtected: seesProtected(principal) }, day);
    const { accountId } = principal;
    await accessLog.note(
      ...rows.map(({ id: objectId, patient_id: patientId }) => {
        return { accountId, customerId, patientId, action: 'order.listed' as const, objectId };
      }),
    );
    const patients = new Map(rows.map((row) => [row.patient_id, patientOf(row)]));
    return {
      orders: rows.map(orderOf),
      patients: [...patients.values()],
      stations: await stationsOf(db, customerId, language),
    };
  };

  const create = async ({ principal, language }: OrderCall, patientId: string, order: NewOrder): Promise<Order> => {
    const { patient, row } = await db.transaction().execute(async (transaction) => {
      const patient = await requireAccessiblePatient(transaction, principal, patientId);
      if (!(await lockPatient(transaction, patient.id))) throw new ProblemError('not-found');
      await requireStation(transaction, patient.customer_id, language, order.stationId);
      const id = await insertOrder(transaction, {
        customer_id: patient.customer_id,
        patient_id: patient.id,
        ...valuesOf(order),
        created_by: principal.accountId,
      });
      const row = requireAccessible(principal, await findOrder(transaction, id));
      await insertAccesses(transaction, [{ at: new Date(), ...accessTo(principal, row, 'order.created') }]);
      return { patient, row };
    });
    await events.ordersChanged({ principal, customerId: patient.customer_id, patientId: patient.id });
    return orderOf(row);
  };

  /** @throws ProblemError 'not-found'; 'order-not-scheduled'; 'conflict' when another user has changed the order */
  const update = async ({ principal, language }: OrderCall, { id, version, ...order }: OrderChange): Promise<Order> => {
    const row = await db.transaction().execute(async (transaction) => {
      const { customer_id, patient_id } = requireAccessible(principal, await findOrder(transaction, id));
      await requireAccessiblePatient(transaction, principal, patient_id);
      const locked = await lockOrder(transaction, id);
      if (locked?.status !== 'scheduled') throw new ProblemError('order-not-scheduled');
      if (locked.version !== version) throw new ProblemError('conflict');
      await requireStation(transaction, customer_id, language, order.stationId);
      await updateOrder(transaction, id, valuesOf(order));
      const changed = requireAccessible(principal, await findOrder(transaction, id));
      await insertAccesses(transaction, [{ at: new Date(), ...accessTo(principal, changed, 'order.changed') }]);
      return changed;
    });
    await events.ordersChanged({ principal, customerId: row.customer_id, patientId: row.patient_id });
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
    await events.ordersChanged({ principal, customerId: row.customer_id, patientId: row.patient_id });
  };

  return { list, ofDay, create, update, cancel };
};
