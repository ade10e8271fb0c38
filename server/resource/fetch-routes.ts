import type { FastifyInstance } from 'fastify';
import {
  type DicomFetch,
  dicomFetchCancel,
  dicomFetchCreate,
  dicomFetches,
  dicomFetchRemove,
  dicomFetchSearch,
  dicomFetchSources,
  foundStudiesAtMost,
} from '../../contract/dicom-fetches.ts';
import { type DicomDeviceRow, dicomDeviceById, dicomDevicesOf } from '../db/stores/dicom-devices.ts';
import { studiesHere } from '../db/stores/dicom-fetch-work.ts';
import { cancelFetch, fetchById, fetchesOf, insertFetch, removeFetch } from '../db/stores/dicom-fetches.ts';
import { differencesOf, nameKey, needsConfirmation, numberForms } from '../domain/foreign-patient.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import { requireAccessiblePatient } from './accessible-patient.ts';
import type { ResourceDependencies } from './dependencies.ts';
import type { FindStudies } from './study-finder.ts';

const requireClinic = (principal: Principal, customerId: string): void => {
  if (!canUseClinic(principal, customerId)) throw new ProblemError('not-found');
};

const noneReached: FindStudies = async () => ({ failure: 'unreachable', isComplete: false, studies: [] });

type Source = DicomDeviceRow & { readonly port: number };

/** Registers the routes by which users fetch studies from DICOM devices. A job of the server fetches them (`server/dicom-gateway/fetching`). */
export const fetchRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, findStudies = noneReached } = deps;

  /** A fetch of the caller, in a clinic that the caller may still use. @throws ProblemError 'not-found' */
  const requireOwn = async (principal: Principal, id: string): Promise<DicomFetch> => {
    const fetch = await fetchById(db, principal.accountId, id);
    if (!fetch) throw new ProblemError('not-found');
    requireClinic(principal, fetch.customerId);
    return fetch;
  };

  /** A device of the clinic of the patient. @throws ProblemError 'not-found' */
  const requireSource = async (customerId: string, id: string): Promise<Source> => {
    const device = await dicomDeviceById(db, { customerId, id });
    if (!device || device.port === null) throw new ProblemError('not-found');
    return { ...device, port: device.port };
  };

  bind(server, binding, dicomFetchSources, async ({ principal, params: { customerId }, language }) => {
    requireClinic(principal, customerId);
    const devices = await dicomDevicesOf(db, customerId, language);
    return {
      devices: devices.filter(({ port }) => port !== null).map(({ id, name, aeTitle }) => ({ id, name, aeTitle })),
    };
  });

  bind(server, binding, dicomFetchSearch, async ({ principal, body: { deviceId, patientId, by } }) => {
    const patient = await requireAccessiblePatient(db, principal, patientId);
    const { customer_id: customerId, birth_date: birthDate } = patient;
    const { address: host, port, aeTitle, tls, name } = await requireSource(customerId, deviceId);
    const entry = { accountId: principal.accountId, customerId, patientId, objectId: deviceId, detail: name };
    await accessLog.note({ ...entry, action: 'patient.queried' });
    const search =
      by === 'number'
        ? { numbers: numberForms(patient.personal_number, birthDate) }
        : { name: nameKey(patient), birthDate };
    const found = await findStudies({ host, port, aeTitle, tls }, search, foundStudiesAtMost);
    const uids = found.studies.map(({ studyUid }) => studyUid);
    const here = await studiesHere(db, { customerId, patientId }, uids);
    return {
      failure: found.failure,
      isComplete: found.isComplete,
      studies: found.studies.map((study) => {
        const own = here.get(study.studyUid);
        return {
          ...study,
          modalities: [...study.modalities],
          differences: differencesOf(study.patient, patient),
          needsConfirmation: needsConfirmation(study.patient, patient),
          imagesHere: own && !own.isOfAnotherPatient ? own.images : null,
          isOfAnotherPatient: own?.isOfAnotherPatient ?? false,
        };
      }),
    };
  });

  bind(server, binding, dicomFetchCreate, async ({ principal, body: { deviceId, patientId, studies } }) => {
    const patient = await requireAccessiblePatient(db, principal, patientId);
    await requireSource(patient.customer_id, deviceId);
    if (studies.some((study) => !study.isSamePatient && needsConfirmation(study.patient, patient)))
      throw new ProblemError('mismatch-not-confirmed');
    const id = await db.transaction().execute((transaction) =>
      insertFetch(transaction, {
        customer_id: patient.customer_id,
        patient_id: patientId,
        device_id: deviceId,
        created_by: principal.accountId,
        studies,
      }),
    );
    return requireOwn(principal, id);
  });

  bind(server, binding, dicomFetches, async ({ principal, params: { customerId } }) => {
    requireClinic(principal, customerId);
    return { fetches: await fetchesOf(db, { accountId: principal.accountId, customerId }) };
  });

  bind(server, binding, dicomFetchCancel, async ({ principal, body: { id } }) => {
    await requireOwn(principal, id);
    await cancelFetch(db, id);
    return {};
  });

  bind(server, binding, dicomFetchRemove, async ({ principal, body: { id } }) => {
    await requireOwn(principal, id);
    if (!(await removeFetch(db, id))) throw new ProblemError('conflict');
    return {};
  });
};
