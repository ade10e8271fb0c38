import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { findReachableTask, type ImportTaskRow } from '../db/stores/imports.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';

/**
 * Returns the task.
 * @throws ProblemError 'import-not-found', also for a task of another clinic or of a deleted patient, so that its existence stays hidden
 */
export const requireAccessibleTask = async (
  db: Kysely<Schema>,
  principal: Principal,
  id: string,
): Promise<ImportTaskRow> => {
  const task = await findReachableTask(db, id);
  if (!task || !canUseClinic(principal, task.customer_id)) throw new ProblemError('import-not-found');
  return task;
};
