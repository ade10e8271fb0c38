import type { FastifyInstance } from 'fastify';
import {
  type DicomSending,
  dicomDestinations,
  dicomSendingCancel,
  dicomSendingCreate,
  dicomSendingRemove,
  dicomSendings,
} from '../../contract/dicom-sendings.ts';
import { dicomDeviceById, dicomDevicesOf } from '../db/stores/dicom-devices.ts';
import { cancelSending, insertSending, removeSending, sendingById, sendingsOf } from '../db/stores/dicom-sendings.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { requireImages } from './leaving-images.ts';

const requireClinic = (principal: Principal, customerId: string): void => {
  if (!canUseClinic(principal, customerId)) throw new ProblemError('not-found');
};

/** Registers the routes by which users send images to DICOM devices. A job of the server sends them (`server/dicom-gateway/sending`). */
export const sendingRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding } = deps;

  /** A sending of the caller, in a clinic that the caller may still use. @throws ProblemError 'not-found' */
  const requireOwn = async (principal: Principal, id: string): Promise<DicomSending> => {
    const sending = await sendingById(db, principal.accountId, id);
    if (!sending) throw new ProblemError('not-found');
    requireClinic(principal, sending.customerId);
    return sending;
  };

  bind(server, binding, dicomDestinations, async ({ principal, params: { customerId }, language }) => {
    requireClinic(principal, customerId);
    const devices = await dicomDevicesOf(db, customerId, language);
    return {
      devices: devices.filter(({ port }) => port !== null).map(({ id, name, aeTitle }) => ({ id, name, aeTitle })),
    };
  });

  bind(server, binding, dicomSendingCreate, async ({ principal, body: { deviceId, ...scope } }) => {
    const rows = await requireImages(deps, principal, scope);
    const [first] = rows;
    if (!first) throw new ProblemError('not-found');
    const { customer_id: customerId, patient_id: patientId } = first;
    const device = await dicomDeviceById(db, { customerId, id: deviceId });
    if (!device || device.port === null) throw new ProblemError('not-found');
    const id = await db.transaction().execute((transaction) =>
      insertSending(transaction, {
        customer_id: customerId,
        patient_id: patientId,
        device_id: deviceId,
        created_by: principal.accountId,
        imageIds: rows.map((row) => row.id),
      }),
    );
    return requireOwn(principal, id);
  });

  bind(server, binding, dicomSendings, async ({ principal, params: { customerId } }) => {
    requireClinic(principal, customerId);
    return { sendings: await sendingsOf(db, { accountId: principal.accountId, customerId }) };
  });

  bind(server, binding, dicomSendingCancel, async ({ principal, body: { id } }) => {
    await requireOwn(principal, id);
    await cancelSending(db, id);
    return {};
  });

  bind(server, binding, dicomSendingRemove, async ({ principal, body: { id } }) => {
    await requireOwn(principal, id);
    if (!(await removeSending(db, id))) throw new ProblemError('conflict');
    return {};
  });
};
