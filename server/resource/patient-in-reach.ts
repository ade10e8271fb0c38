import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { findPatient, type PatientRow } from '../db/stores/patients.ts';
import { mayUseClinic } from '../policy/may-use-clinic.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';

/** Whatever is not there, or belongs to a clinic that the caller may not use, is not found: nobody learns which of the two. */
export const inReach = <Row extends { customer_id: string }>(principal: Principal, row: Row | undefined): Row => {
  if (!row || !mayUseClinic(principal, row.customer_id)) throw new Refusal('not-found');
  return row;
};

/** @throws Refusal 'not-found' */
export const patientInReach = async (db: Kysely<Schema>, principal: Principal, id: string): Promise<PatientRow> =>
  inReach(principal, await findPatient(db, id));
