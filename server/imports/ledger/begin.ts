import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { importBegin } from '../../../contract/import-calls.ts';
import type { Schema } from '../../db/schema.ts';
import { findTask, type ImportTaskRow, insertTask, type NewTask } from '../../db/stores/imports.ts';
import { mayUseClinic } from '../../policy/may-use-clinic.ts';
import type { Principal } from '../../policy/principal.ts';
import { Refusal } from '../../refusal.ts';
import { patientInReach } from '../../resource/patient-in-reach.ts';

type Beginning = z.output<NonNullable<typeof importBegin.body>>;

/** @throws Refusal 'not-found', 'invalid-request' when the patient is not of the clinic that is named */
const targetOf = async (db: Kysely<Schema>, principal: Principal, { patientId, customerId }: Beginning) => {
  if (patientId !== null) {
    const patient = await patientInReach(db, principal, patientId);
    if (customerId !== undefined && customerId !== patient.customer_id) {
      throw new Refusal('invalid-request', [{ fieldKey: 'customerId' }]);
    }
    return { patientId, customerId: patient.customer_id };
  }
  if (customerId === undefined) throw new Refusal('invalid-request', [{ fieldKey: 'customerId' }]);
  if (!mayUseClinic(principal, customerId)) throw new Refusal('not-found');
  const clinic = await db.selectFrom('customer').select('id').where('id', '=', customerId).executeTakeFirst();
  if (!clinic) throw new Refusal('not-found');
  return { patientId, customerId };
};

const isThis = (task: ImportTaskRow, wanted: NewTask): boolean =>
  task.account_id === wanted.accountId &&
  task.customer_id === wanted.customerId &&
  task.patient_id === wanted.patientId &&
  task.kind === wanted.kind &&
  task.name === wanted.name &&
  task.total_files === wanted.totalFiles;

/**
 * Opens an import. One of this id that the same person began with the same words is it; any other refuses.
 * @throws Refusal 'not-found', 'invalid-request', 'too-large' with more files than are taken, 'conflict'
 */
export const beginImport = async (
  db: Kysely<Schema>,
  principal: Principal,
  body: Beginning,
  mostFiles: number,
): Promise<ImportTaskRow> => {
  if (body.totalFilesCount > mostFiles) throw new Refusal('too-large');
  const target = await targetOf(db, principal, body);
  const wanted: NewTask = {
    ...target,
    id: body.id ?? randomUUID(),
    accountId: principal.accountId,
    kind: body.kind,
    name: body.name,
    totalFiles: body.totalFilesCount,
  };
  await insertTask(db, wanted);
  const task = await findTask(db, wanted.id);
  if (!task || !isThis(task, wanted)) throw new Refusal('conflict');
  return task;
};
