import type { FastifyInstance } from 'fastify';
import { type Order, orderCancel, orderCreate, orderList, order as orderReply } from '../../contract/orders.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { dicomDevicesOf } from '../db/stores/dicom-devices.ts';
import { cancelOrder, findOrder, insertOrder, type OrderRow, ordersOf } from '../db/stores/orders.ts';
import { lockPatient } from '../db/stores/patients.ts';
import type { ListLanguage } from '../domain/list-language.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import { requireAccessiblePatient } from './accessible-patient.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { accessTo } from './record-access.ts';

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

/** Registers the routes of orders of images. */
export const orderRoutes = (
  server: FastifyInstance,
  { db, binding, accessLog, events }: ResourceDependencies,
): void => {
  const stationsOf = async (from: typeof db, customerId: string, language: ListLanguage) =>
    (await dicomDevicesOf(from, customerId, language)).filter(({ seesWorklist }) => seesWorklist);

  bind(server, binding, orderList, async ({ principal, params, language }) => {
    const patient = await requireAccessiblePatient(db, principal, params.id);
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
  });

  bind(server, binding, orderCreate, async ({ principal, body, language }) => {
    const { patient, row } = await db.transaction().execute(async (transaction) => {
      const patient = await requireAccessiblePatient(transaction, principal, body.patientId);
      if (!(await lockPatient(transaction, patient.id))) throw new ProblemError('not-found');
      const stations = await stationsOf(transaction, patient.customer_id, language);
      if (body.stationId !== null && !stations.some(({ id }) => id === body.stationId))
        throw new ProblemError('invalid-request', [{ fieldKey: 'stationId' }]);
      const id = await insertOrder(transaction, {
        customer_id: patient.customer_id,
        patient_id: patient.id,
        procedure_text: body.procedure,
        modality: body.modality,
        device_id: body.stationId,
        scheduled_day: body.day,
        scheduled_time: body.time,
        comment: body.comment,
        created_by: principal.accountId,
      });
      const row = requireAccessible(principal, await findOrder(transaction, id));
      await insertAccesses(transaction, [{ at: new Date(), ...accessTo(principal, row, 'order.created') }]);
      return { patient, row };
    });
    await events.patientChanged({ principal, customerId: patient.customer_id, patientId: patient.id });
    return orderOf(row);
  });

  bind(server, binding, orderCancel, async ({ principal, body }) => {
    const row = await db.transaction().execute(async (transaction) => {
      const found = requireAccessible(principal, await findOrder(transaction, body.id));
      await requireAccessiblePatient(transaction, principal, found.patient_id);
      if (!(await cancelOrder(transaction, found.id))) throw new ProblemError('conflict');
      await insertAccesses(transaction, [{ at: new Date(), ...accessTo(principal, found, 'order.cancelled') }]);
      return found;
    });
    await events.patientChanged({ principal, customerId: row.customer_id, patientId: row.patient_id });
    return {};
  });
};
