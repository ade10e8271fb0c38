import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Patient, patientCreate, patientGet, patientUpdate } from '../../contract/patients.ts';
import { insertPatient, type PatientFields, type PatientRow, updatePatient } from '../db/stores/patients.ts';
import { mayUseClinic } from '../policy/may-use-clinic.ts';
import { Refusal } from '../refusal.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { patientInReach } from './patient-in-reach.ts';
import { personalNumberKey } from './personal-number.ts';

/** A patient as the contract shows one. */
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
  },
  totalStudies: Number(row.total_studies),
  version: row.version,
});

/** Letters and digits that a personal number must have at least, whatever dashes stand between them. */
const fewestSigns = 10;

/** @throws Refusal 'invalid-request' */
const checkPersonalNumber = ({ personalNumber, birthDate }: Pick<PatientFields, 'personalNumber' | 'birthDate'>) => {
  if (personalNumberKey(personalNumber, birthDate).length < fewestSigns)
    throw new Refusal('invalid-request', [{ fieldKey: 'personalNumber', vars: { min: fewestSigns } }]);
};

export const numberTaken = () => new Refusal('personal-number-taken', [{ fieldKey: 'personalNumber' }]);

/** A unique violation of PostgreSQL's: the clinic has another patient of this personal number. */
export const isNumberTaken = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'patient_personal_number';

export const patientRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, news } = deps;

  bind(server, binding, patientGet, async ({ principal, params }) => {
    const row = await patientInReach(db, principal, params.id);
    await accessLog.note({
      accountId: principal.accountId,
      customerId: row.customer_id,
      patientId: row.id,
      action: 'patient.opened',
      objectId: null,
    });
    return patientOf(row);
  });

  bind(server, binding, patientCreate, async ({ principal, body }) => {
    if (!mayUseClinic(principal, body.customerId)) throw new Refusal('not-found');
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
    return patientOf(await patientInReach(db, principal, id));
  });

  bind(server, binding, patientUpdate, async ({ principal, body }) => {
    const before = await patientInReach(db, principal, body.id);
    checkPersonalNumber(body);
    const { id, version, ...fields } = body;
    const edited = await updatePatient(db, { id, version }, fields).catch((error: unknown) => {
      throw isNumberTaken(error) ? numberTaken() : error;
    });
    if (!edited) throw new Refusal('conflict');
    const record = { principal, customerId: before.customer_id, patientId: id };
    await accessLog.note({
      accountId: principal.accountId,
      customerId: record.customerId,
      patientId: id,
      action: 'patient.edited',
      objectId: null,
    });
    await news.patientChanged(record);
    return patientOf(await patientInReach(db, principal, id));
  });
};
