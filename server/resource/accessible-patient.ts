import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { findPatient, type PatientRow } from '../db/stores/patients.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';

/** @throws ProblemError 'not-found' */
export const requireAccessiblePatient = async (
  db: Kysely<Schema>,
  principal: Principal,
  id: string,
): Promise<PatientRow> => requireAccessible(principal, await findPatient(db, id));
