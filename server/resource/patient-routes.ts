import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Patient, patientCreate, patientGet, patientUpdate } from '../../contract/patients.ts';
import { customerById } from '../db/stores/customer-store.ts';
import { notePatientOpened } from '../db/stores/patient-openings.ts';
import { insertPatient, type PatientFields, type PatientRow, updatePatient } from '../db/stores/patients.ts';
import { personalNumberKey } from '../domain/personal-number.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import { seesProtected } from '../domain/policy/sees-protected.ts';
import { noRightError, ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import { requireAccessiblePatient } from './accessible-patient.ts';
import type { ResourceDependencies } from './dependencies.ts';

/** Converts a patient row to the contract. */
export const patientOf = (row: PatientRow): Patient => ({
  id: row.id,
  customerId: row.customer_id,
  mainInfo: {
    firstName: row.first_name,
    lastName: row.last_name,
    birthDate: row.birth_date,
    sex: row.sex,
    personalNumber: row.personal_number,
    comments: row.comments,
    lastStudyDate: row.last_study_date,
    protectedIdentity: row.has_protected_identity,
  },
  totalStudies: Number(row.total_studies),
  version: row.version,
});

/** Minimum number of letters and digits in a personal number, not counting dashes. */
const minLength = 10;

/** @throws ProblemError 'invalid-request' */
const checkPersonalNumber = ({ personalNumber, birthDate }: Pick<PatientFields, 'personalNumber' | 'birthDate'>) => {
  if (personalNumberKey(personalNumber, birthDate).length < minLength)
    throw new ProblemError('invalid-request', [{ fieldKey: 'personalNumber', vars: { min: minLength } }]);
};

export const numberTaken = () => new ProblemError('personal-number-taken', [{ fieldKey: 'personalNumber' }]);

/** Returns whether an error is the unique violation of the clinic's personal numbers. */
export const isNumberTaken = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'patient_personal_number';

export const patientRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, events } = deps;

  bind(server, binding, patientGet, async ({ principal, params }) => {
    const row = await requireAccessiblePatient(db, principal, params.id);
    await accessLog.note({
      accountId: principal.accountId,
      customerId: row.customer_id,
      patientId: row.id,
      action: 'patient.opened',
      objectId: null,
    });
    await notePatientOpened(db, principal.accountId, row.id);
    return patientOf(row);
  });

  bind(server, binding, patientCreate, async ({ principal, body }) => {
    if (!canUseClinic(principal, body.customerId) || !(await customerById(db, body.customerId)))
      throw new ProblemError('not-found');
    checkPersonalNumber(body);
    const id = await insertPatient(db, { id: randomUUID(), ...body });
    if (!id) throw numberTaken();
    await accessLog.note({
      accountId: principal.accountId,
      customerId: body.customerId,
      patientId: id,
      action: 'patient.created',
      objectId: null,
    });
    return patientOf(await requireAccessiblePatient(db, principal, id));
  });

  bind(server, binding, patientUpdate, async ({ principal, body }) => {
    const before = await requireAccessiblePatient(db, principal, body.id);
    checkPersonalNumber(body);
    if (before.has_protected_identity && body.protectedIdentity === false && !seesProtected(principal))
      throw noRightError('feature.protected_identity');
    const { id, version, ...fields } = body;
    const edited = await updatePatient(db, { id, version, accountId: principal.accountId }, fields).catch(
      (error: unknown) => {
        throw isNumberTaken(error) ? numberTaken() : error;
      },
    );
    if (!edited) throw new ProblemError('conflict');
    const record = { principal, customerId: before.customer_id, patientId: id };
    await accessLog.note({
      accountId: principal.accountId,
      customerId: record.customerId,
      patientId: id,
      action: 'patient.edited',
      objectId: null,
    });
    await events.patientChanged(record);
    return patientOf(await requireAccessiblePatient(db, principal, id));
  });
};
