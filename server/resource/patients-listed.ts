import type { PatientRow } from '../db/stores/patients.ts';
import type { Principal } from '../domain/policy/principal.ts';

/** Returns the access log entries of patients that a list shows. */
export const patientsListed = ({ accountId }: Principal, rows: readonly PatientRow[]) =>
  rows.map((row) => ({
    accountId,
    customerId: row.customer_id,
    patientId: row.id,
    action: 'patient.listed' as const,
    objectId: null,
  }));
