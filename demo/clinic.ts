import { uuidFrom } from '../dicom/write/uid.ts';
import { standardTemplates } from '../server/domain/standard-templates.ts';
import type { DemoClinic, DemoPatient } from './clinic-model.ts';
import { PATIENT_PLANS, type PatientPlan } from './patients.ts';
import { testPersonalNumber } from './personal-number.ts';
import { buildStudy } from './study.ts';
import { STUDY_PLANS } from './study-plans.ts';
import { CUSTOMERS, ROLES, USERS } from './users.ts';

const patientOf = (plan: PatientPlan, index: number, anchorDate: string): DemoPatient => {
  const [firstName, lastName, birthDate, sex, clinic, comments] = plan;
  const number = String(index + 1).padStart(4, '0');
  const key = `patient/${number}`;
  return {
    id: uuidFrom(key),
    customerId: CUSTOMERS[clinic]?.id ?? '',
    patientId: `DEMO-${number}`,
    personalNumber: testPersonalNumber(birthDate, sex, index % 10),
    firstName,
    lastName,
    birthDate,
    sex,
    comments,
    studies: (STUDY_PLANS[index] ?? []).map((study, order) =>
      buildStudy(study, {
        key: `${key}/study/${order}`,
        accessionNumber: `D${number}-${order + 1}`,
        mouth: 1000 + index * 7,
        birthDate,
        anchorDate,
      }),
    ),
  };
};

/**
 * Returns the whole demo clinic as plain data: the same ids in every run, dates relative to the anchor.
 * @param anchorDate the day that counts as today, YYYY-MM-DD
 * @throws RangeError when the anchor is not a date
 */
export const demoClinic = (anchorDate: string): DemoClinic => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(anchorDate) || Number.isNaN(Date.parse(anchorDate))) {
    throw new RangeError('The anchor date of the demo clinic must be YYYY-MM-DD');
  }
  return {
    customers: CUSTOMERS,
    roles: ROLES,
    users: USERS,
    templates: standardTemplates,
    patients: PATIENT_PLANS.map((plan, index) => patientOf(plan, index, anchorDate)),
  };
};
