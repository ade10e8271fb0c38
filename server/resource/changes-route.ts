import type { FastifyInstance } from 'fastify';
import { type ChangeSubject, changesGet, type RecordChange } from '../../contract/changes.ts';
import { findImage } from '../db/stores/images.ts';
import { patientsByIds } from '../db/stores/named-patients.ts';
import { changesOf, type RecordChangeRow } from '../db/stores/record-changes.ts';
import { findStudy } from '../db/stores/studies.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { bind } from '../route-binding.ts';
import { requireAccessiblePatient } from './accessible-patient.ts';
import type { ResourceDependencies } from './dependencies.ts';

const patientsIn = (rows: readonly RecordChangeRow[]): string[] => [
  ...new Set(
    rows.flatMap(({ field, before, after }) =>
      field === 'patient' ? [before.value, after.value].filter((value) => typeof value === 'string') : [],
    ),
  ),
];

/** Registers the route that reads the changes of an image or study. There is none that changes or deletes one. */
export const changesRoute = (server: FastifyInstance, { db, binding, accessLog }: ResourceDependencies): void => {
  /** @throws ProblemError 'not-found' */
  const ownerOf = async (principal: Principal, subject: ChangeSubject, id: string) => {
    if (subject === 'image') {
      const image = requireAccessible(principal, await findImage(db, id));
      return { imageId: image.id, studyId: image.study_id, patientId: image.patient_id, customerId: image.customer_id };
    }
    const study = requireAccessible(principal, await findStudy(db, id));
    const patient = await requireAccessiblePatient(db, principal, study.patient_id);
    return { imageId: null, studyId: study.id, patientId: patient.id, customerId: study.customer_id };
  };

  bind(server, binding, changesGet, async ({ principal, params: { subject, id } }) => {
    const { customerId, patientId, ...owner } = await ownerOf(principal, subject, id);
    const rows = await changesOf(db, owner);
    const patients = await patientsByIds(db, patientsIn(rows));
    /** Without a name when the patient was destroyed. */
    const patientOf = (value: unknown) => {
      const patient = patients.find((one) => one.id === value);
      if (!patient) return { id: String(value), name: '', personalNumber: '' };
      const { first_name: firstName, last_name: lastName, personal_number: personalNumber } = patient;
      return { id: patient.id, name: `${firstName} ${lastName}`, personalNumber };
    };
    const entry = { accountId: principal.accountId, customerId };
    // Where nothing was changed, nothing was read.
    if (rows.length > 0)
      await accessLog.note(
        { ...entry, patientId, action: 'changes.opened', objectId: owner.imageId ?? owner.studyId },
        ...patients
          .filter((patient) => patient.id !== patientId)
          .map((patient) => ({ ...entry, patientId: patient.id, action: 'patient.listed' as const, objectId: null })),
      );
    const changes = rows.map((row) => {
      const isPatient = row.field === 'patient';
      const shown = ({ value }: RecordChangeRow['before']) => (isPatient ? patientOf(value) : value);
      return {
        field: row.field,
        subject: row.subject,
        before: shown(row.before),
        after: shown(row.after),
        author: { id: row.author_id, name: row.author_name },
        changedAt: row.changed_at.toISOString(),
      } as RecordChange;
    });
    return { changes };
  });
};
