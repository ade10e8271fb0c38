import type { FastifyInstance } from 'fastify';
import { type ChangeSubject, changesGet, type RecordChange } from '../../contract/changes.ts';
import { findImage } from '../db/stores/images.ts';
import { patientsByIds } from '../db/stores/named-patients.ts';
import { changesOf, type RecordChangeRow } from '../db/stores/record-changes.ts';
import { findStudy } from '../db/stores/studies.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { seesProtected } from '../domain/policy/sees-protected.ts';
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

/** Registers the route that reads the changes of an image, study or patient. There is none that changes or deletes one. */
export const changesRoute = (server: FastifyInstance, { db, binding, accessLog }: ResourceDependencies): void => {
  /** @throws ProblemError 'not-found' */
  const ownerOf = async (principal: Principal, subject: ChangeSubject, id: string) => {
    if (subject === 'image') {
      const image = requireAccessible(principal, await findImage(db, id));
      const { patient_id: patientId, customer_id: customerId } = image;
      return { patientId, customerId, subjects: { image: image.id, study: image.study_id } };
    }
    const study = subject === 'study' ? requireAccessible(principal, await findStudy(db, id)) : null;
    const patient = await requireAccessiblePatient(db, principal, study?.patient_id ?? id);
    return { patientId: patient.id, customerId: patient.customer_id, subjects: { [subject]: id } };
  };

  bind(server, binding, changesGet, async ({ principal, params: { subject, id } }) => {
    const { customerId, patientId, subjects } = await ownerOf(principal, subject, id);
    const rows = await changesOf(db, subjects);
    const patients = await patientsByIds(db, patientsIn(rows));
    /** Without a name when the patient was destroyed or is protected. */
    const patientOf = (value: unknown) => {
      const patient = patients.find((one) => one.id === value);
      const { id = String(value), has_protected_identity: protectedIdentity = false } = patient ?? {};
      const isHidden = protectedIdentity && id !== patientId && !seesProtected(principal);
      if (!patient || isHidden) return { id, name: '', personalNumber: '', protectedIdentity };
      const { first_name: firstName, last_name: lastName, personal_number: personalNumber } = patient;
      return { id, name: `${firstName} ${lastName}`, personalNumber, protectedIdentity };
    };
    const entry = { accountId: principal.accountId, customerId };
    // Where nothing was changed, nothing was read.
    if (rows.length > 0)
      await accessLog.note(
        { ...entry, patientId, action: 'changes.opened', objectId: subject === 'patient' ? null : id },
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
