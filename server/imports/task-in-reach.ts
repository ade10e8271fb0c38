import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { findReachableTask, type ImportTaskRow } from '../db/stores/imports.ts';
import { mayUseClinic } from '../policy/may-use-clinic.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';

/** @throws Refusal 'import-not-found', also when it is another clinic's, or of a deleted patient: nobody learns that it exists */
export const taskInReach = async (db: Kysely<Schema>, principal: Principal, id: string): Promise<ImportTaskRow> => {
  const task = await findReachableTask(db, id);
  if (!task || !mayUseClinic(principal, task.customer_id)) throw new Refusal('import-not-found');
  return task;
};
