import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import {
  contentSearchDeleted,
  type DeletedContent,
  type DeletedPatient,
  type DeletedStudy,
  patientDelete,
  patientRestore,
  patientSearchDeleted,
  patientSearchDeletedPrivate,
  studySearchDeleted,
  studySearchDeletedPrivate,
} from '../../contract/recycle-bin.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import {
  type DeletedContentRow,
  type DeletedPatientRow,
  type DeletedStudyRow,
  deletedContents,
  deletedPatients,
  deletedStudies,
  type FindDeleted,
} from '../db/stores/deleted-records.ts';
import { findDeletablePatient, setPatientDeleted } from '../db/stores/patient-deletion.ts';
import type { ListLanguage } from '../domain/list-language.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { seesProtected } from '../domain/policy/sees-protected.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { isNumberTaken, numberTaken, patientOf } from './patient-routes.ts';

type ListQuery = z.output<typeof patientSearchDeleted.query & {}>;

const deletionOf = (row: Pick<DeletedPatientRow, 'deleted_at' | 'deleted_by' | 'deleter' | 'retained_until'>) => ({
  deletedAt: row.deleted_at.toISOString(),
  deletedBy: row.deleted_by === null ? null : { id: row.deleted_by, name: row.deleter ?? '' },
  retainedUntil: row.retained_until?.toISOString() ?? null,
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
    protectedIdentity: row.has_protected_identity,
  },
  description: row.description,
  studyDate: row.study_date,
  accessionNumber: row.accession_number,
  images: Number(row.images),
  viewsets: Number(row.viewsets),
  ...deletionOf(row),
});

const deletedContentOf = (row: DeletedContentRow): DeletedContent => ({
  id: row.id,
  kind: row.kind,
  customerId: row.customer_id,
  patientId: row.patient_id,
  patient: {
    firstName: row.first_name,
    lastName: row.last_name,
    personalNumber: row.personal_number,
    protectedIdentity: row.has_protected_identity,
  },
  studyId: row.study_id,
  studyDate: row.study_date,
  studyDescription: row.study_description,
  name: row.name,
  modality: row.modality,
  number: row.number,
  teeth: row.teeth,
  images: Number(row.images),
  ...deletionOf(row),
});

/** Registers the routes that delete and restore patients and list the recycle bin. Studies are handled by study-routes. */
export const recycleBinRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, events, places } = deps;

  /** Returns a list of the recycle bin, and logs its patients, each once. */
  const listOf =
    <Row, Item>(find: FindDeleted<Row>, itemOf: (row: Row) => Item, patientIdOf: (row: Row) => string) =>
    async (principal: Principal, query: ListQuery & { readonly language: ListLanguage }) => {
      if (!canUseClinic(principal, query.customerId)) throw new ProblemError('not-found');
      const { data, ...page } = await find(db, places, { ...query, seesProtected: seesProtected(principal) });
      await accessLog.note(
        ...[...new Set(data.map(patientIdOf))].map((patientId) => ({
          accountId: principal.accountId,
          customerId: query.customerId,
          patientId,
          action: 'patient.listed' as const,
          objectId: null,
        })),
      );
      return { ...page, data: data.map(itemOf) };
    };
  const patients = listOf(deletedPatients, deletedPatientOf, ({ id }) => id);
  const studies = listOf(deletedStudies, deletedStudyOf, ({ patient_id }) => patient_id);
  const contents = listOf(deletedContents, deletedContentOf, ({ patient_id }) => patient_id);

  bind(server, binding, contentSearchDeleted, ({ principal, body, language }) =>
    contents(principal, { ...body, language }),
  );
  bind(server, binding, patientSearchDeleted, ({ principal, query, language }) =>
    patients(principal, { ...query, language }),
  );
  bind(server, binding, patientSearchDeletedPrivate, ({ principal, body, language }) =>
    patients(principal, { ...body, language }),
  );
  bind(server, binding, studySearchDeleted, ({ principal, query, language }) =>
    studies(principal, { ...query, language }),
  );
  bind(server, binding, studySearchDeletedPrivate, ({ principal, body, language }) =>
    studies(principal, { ...body, language }),
  );

  /** Deleting a deleted patient returns not-found; restoring one that is not deleted changes nothing. */
  const setDeleted = async (principal: Principal, id: string, deleted: boolean): Promise<{ id: string }> => {
    const { accountId } = principal;
    const { customer_id: customerId } = requireAccessible(principal, await findDeletablePatient(db, id));
    const viewsets = await db.transaction().execute(async (transaction) => {
      const changed = await setPatientDeleted(transaction, id, { deleted, accountId });
      if (!changed) return null;
      const action = deleted ? 'patient.deleted' : 'patient.restored';
      await insertAccesses(transaction, [
        { at: new Date(), accountId, customerId, patientId: id, action, objectId: null },
      ]);
      return changed;
    });
    if (!viewsets) {
      if (deleted) throw new ProblemError('not-found');
      return { id };
    }
    const record = { principal, customerId, patientId: id };
    await events.patientChanged(record);
    await events.viewsetsChanged(record, viewsets);
    return { id };
  };

  bind(server, binding, patientDelete, ({ principal, params }) => setDeleted(principal, params.id, true));
  bind(server, binding, patientRestore, ({ principal, params }) =>
    setDeleted(principal, params.id, false).catch((error: unknown) => {
      throw isNumberTaken(error) ? numberTaken() : error;
    }),
  );
};
