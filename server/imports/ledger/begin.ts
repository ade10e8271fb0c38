import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { importBegin } from '../../../contract/import-calls.ts';
import type { Schema } from '../../db/schema.ts';
import { isCustomer } from '../../db/stores/customer-store.ts';
import { findTask, type ImportTaskRow, insertTask, type NewTask } from '../../db/stores/imports.ts';
import { findPatient } from '../../db/stores/patients.ts';
import { canUseClinic } from '../../domain/policy/can-use-clinic.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { requireAccessible } from '../../domain/policy/require-accessible.ts';
import { ProblemError } from '../../domain/problem-error.ts';

type Beginning = z.output<NonNullable<typeof importBegin.body>>;

/** @throws ProblemError 'not-found', 'invalid-request' when the patient does not belong to the named clinic */
const targetOf = async (db: Kysely<Schema>, principal: Principal, { patientId, customerId }: Beginning) => {
  if (patientId !== null) {
    const patient = requireAccessible(principal, await findPatient(db, patientId));
    if (customerId !== undefined && customerId !== patient.customer_id) {
      throw new ProblemError('invalid-request', [{ fieldKey: 'customerId' }]);
    }
    return { patientId, customerId: patient.customer_id };
  }
  if (customerId === undefined) throw new ProblemError('invalid-request', [{ fieldKey: 'customerId' }]);
  if (!canUseClinic(principal, customerId)) throw new ProblemError('not-found');
  if (!(await isCustomer(db, customerId))) throw new ProblemError('not-found');
  return { patientId, customerId };
};

const isThis = (task: ImportTaskRow, requested: NewTask): boolean =>
  task.account_id === requested.accountId &&
  task.customer_id === requested.customerId &&
  task.patient_id === requested.patientId &&
  task.kind === requested.kind &&
  task.name === requested.name &&
  task.total_files === requested.totalFiles;

/**
 * Creates an import. Idempotent: the same user, id and values return the existing one.
 * @throws ProblemError 'not-found', 'invalid-request', 'too-large' with too many files, 'conflict' when the id is taken
 */
export const beginImport = async (
  db: Kysely<Schema>,
  principal: Principal,
  body: Beginning,
  maxFiles: number,
): Promise<ImportTaskRow> => {
  if (body.totalFilesCount > maxFiles) throw new ProblemError('too-large');
  const target = await targetOf(db, principal, body);
  const requested: NewTask = {
    ...target,
    id: body.id ?? randomUUID(),
    accountId: principal.accountId,
    kind: body.kind,
    name: body.name,
    totalFiles: body.totalFilesCount,
  };
  await insertTask(db, requested);
  const task = await findTask(db, requested.id);
  if (!task || !isThis(task, requested)) throw new ProblemError('conflict');
  return task;
};
