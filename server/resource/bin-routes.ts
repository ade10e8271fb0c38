import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import {
  type DeletedPatient,
  type DeletedStudy,
  patientDelete,
  patientRestore,
  patientSearchDeleted,
  patientSearchDeletedPrivate,
  studySearchDeleted,
  studySearchDeletedPrivate,
} from '../../contract/bin.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { binPatient, findBinnedPatient } from '../db/stores/binned-patients.ts';
import {
  type DeletedPatientRow,
  type DeletedStudyRow,
  deletedPatients,
  deletedStudies,
} from '../db/stores/deleted-records.ts';
import { mayUseClinic } from '../policy/may-use-clinic.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { inReach } from './patient-in-reach.ts';
import { isNumberTaken, numberTaken, patientOf } from './patient-routes.ts';

type Asked = z.output<typeof patientSearchDeleted.query & {}>;

const deletionOf = (row: Pick<DeletedPatientRow, 'deleted_at' | 'deleted_by' | 'deleter'>) => ({
  deletedAt: row.deleted_at.toISOString(),
  deletedBy: row.deleted_by === null ? null : { id: row.deleted_by, name: row.deleter ?? '' },
});

const deletedPatientOf = (row: DeletedPatientRow): DeletedPatient => ({ ...patientOf(row), ...deletionOf(row) });

const deletedStudyOf = (row: DeletedStudyRow): DeletedStudy => ({
  id: row.id,
  uid: row.uid,
  customerId: row.customer_id,
  patientId: row.patient_id,
  patient: {
    firstName: row.first_name,
    lastName: row.last_name,
    personalNumber: row.personal_number,
    birthDate: row.birth_date,
  },
  description: row.description,
  studyDate: row.study_date,
  accessionNumber: row.accession_number,
  images: Number(row.images),
  viewsets: Number(row.viewsets),
  ...deletionOf(row),
});

/** Patients into the recycle bin and out of it, and what lies in there. Studies go and come by study-routes. */
export const binRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, news, places } = deps;

  /** Everybody whom a list shows, each once. */
  const noteListed = (principal: Principal, customerId: string, patientIds: readonly string[]) =>
    accessLog.note(
      ...[...new Set(patientIds)].map((patientId) => ({
        ...{ accountId: principal.accountId, customerId, patientId, action: 'patient.listed' as const, objectId: null },
      })),
    );

  const patients = async (principal: Principal, asked: Asked) => {
    if (!mayUseClinic(principal, asked.customerId)) throw new Refusal('not-found');
    const { data, ...page } = await deletedPatients(db, places, asked);
    await noteListed(
      principal,
      asked.customerId,
      data.map((row) => row.id),
    );
    return { ...page, data: data.map(deletedPatientOf) };
  };

  const studies = async (principal: Principal, asked: Asked) => {
    if (!mayUseClinic(principal, asked.customerId)) throw new Refusal('not-found');
    const { data, ...page } = await deletedStudies(db, places, asked);
    await noteListed(
      principal,
      asked.customerId,
      data.map((row) => row.patient_id),
    );
    return { ...page, data: data.map(deletedStudyOf) };
  };

  bind(server, binding, patientSearchDeleted, ({ principal, query }) => patients(principal, query));
  bind(server, binding, patientSearchDeletedPrivate, ({ principal, body }) => patients(principal, body));
  bind(server, binding, studySearchDeleted, ({ principal, query }) => studies(principal, query));
  bind(server, binding, studySearchDeletedPrivate, ({ principal, body }) => studies(principal, body));

  /** Deleting who is deleted is refused as not found; restoring who is there changes nothing. */
  const bin = async (principal: Principal, id: string, deleted: boolean): Promise<{ id: string }> => {
    const { accountId } = principal;
    const { customer_id: customerId } = inReach(principal, await findBinnedPatient(db, id));
    const viewsets = await db.transaction().execute(async (transaction) => {
      const changed = await binPatient(transaction, id, { deleted, accountId });
      if (!changed) return null;
      const action = deleted ? 'patient.deleted' : 'patient.restored';
      await insertAccesses(transaction, [
        { at: new Date(), accountId, customerId, patientId: id, action, objectId: null },
      ]);
      return changed;
    });
    if (!viewsets) {
      if (deleted) throw new Refusal('not-found');
      return { id };
    }
    const record = { principal, customerId, patientId: id };
    await news.patientChanged(record);
    await news.viewsetsChanged(record, viewsets);
    return { id };
  };

  bind(server, binding, patientDelete, ({ principal, params }) => bin(principal, params.id, true));
  bind(server, binding, patientRestore, ({ principal, params }) =>
    bin(principal, params.id, false).catch((error: unknown) => {
      throw isNumberTaken(error) ? numberTaken() : error;
    }),
  );
};
