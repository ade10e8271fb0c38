import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../schema.ts';
import type { ImportTaskRow } from './imports.ts';

/** What sends objects to a clinic. */
export interface ObjectSender {
  readonly customerId: string;
  readonly source: 'dicomweb' | 'dicom';
  /** Id of the service account, device or user: the access log names it. */
  readonly sourceId: string;
  readonly sourceName: string;
  /** Set when a user sends. */
  readonly accountId: string | null;
  /** Images of exactly one patient go in without a user's decision. */
  readonly atOnce: boolean;
}

/** The import that collects the objects of this study; `isNew` when it was inserted now. */
export const ensureReceivingTask = async (
  transaction: Kysely<Schema>,
  sender: ObjectSender,
  study: string,
): Promise<{ readonly id: string; readonly isNew: boolean } | null> => {
  const open = await transaction
    .selectFrom('import_task')
    .select('id')
    .where('customer_id', '=', sender.customerId)
    .where('source', '=', sender.source)
    .where('source_id', '=', sender.sourceId)
    .where(sql<boolean>`md5(source_study) = md5(${study})`)
    .where('step', '=', importSteps.uploading)
    .where('error', '=', false)
    .executeTakeFirst();
  if (open) return { id: open.id, isNew: false };
  const made = await transaction
    .insertInto('import_task')
    .values({
      id: randomUUID(),
      customer_id: sender.customerId,
      patient_id: null,
      account_id: sender.accountId,
      kind: 'dicom',
      step: importSteps.uploading,
      total_files: 0,
      source: sender.source,
      source_id: sender.sourceId,
      source_name: sender.sourceName,
      source_study: study,
      at_once: sender.atOnce,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  // Null: another one inserted it just now.
  return made ? { id: made.id, isNew: true } : null;
};

/** Notes that a sender has ended. A later object of it restarts the wait. */
export const noteSent = async (db: Kysely<Schema>, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await db
    .updateTable('import_task')
    .set({ sent_at: sql`clock_timestamp()` })
    .where('id', 'in', ids)
    .where('step', '=', importSteps.uploading)
    .execute();
};

const before = (milliseconds: number) => sql`now() - make_interval(secs => ${milliseconds / 1000})`;

export interface ReceivingTimes {
  /** Wait after the sender has ended: some open a connection for each object. */
  readonly sentMs: number;
  /** Wait for a sender that has not. */
  readonly quietMs: number;
}

/** Moves imports on that receive nothing more. Returns their ids. */
export const endReceiving = async (db: Kysely<Schema>, { sentMs, quietMs }: ReceivingTimes): Promise<string[]> => {
  const receivedAfter = (moment: unknown) =>
    sql`exists (select from import_file where task_id = task.id and received_at > ${moment})`;
  const { rows } = await sql<{ id: string }>`
    update import_task set step = ${importSteps.preparing}, percent = 0, updated_at = now(),
      total_files = (select count(*) from import_file where task_id = import_task.id)
    where id in (select task.id from import_task as task
      where task.source is not null and task.step = ${importSteps.uploading} and not task.error
        and (not ${receivedAfter(before(quietMs))}
          or task.sent_at < ${before(sentMs)} and not ${receivedAfter(sql`task.sent_at`)})
      for update skip locked)
    returning id`.execute(db);
  return rows.map(({ id }) => id);
};

/** Moves a full import on, so that the next object opens another one. */
export const endFullTask = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await sql`update import_task set step = ${importSteps.preparing}, percent = 0, updated_at = now(),
      total_files = (select count(*) from import_file where task_id = import_task.id)
    where id = ${id} and step = ${importSteps.uploading} and not error`.execute(db);
};

/** Received imports that wait for a decision, and of which none has decided yet whether they need a user. */
export const tasksToJudge = async (db: Kysely<Schema>): Promise<string[]> => {
  const rows = await db
    .selectFrom('import_task')
    .select('id')
    .where('source', 'is not', null)
    .where('step', '=', importSteps.validation)
    .where('error', '=', false)
    .where('judged_at', 'is', null)
    .orderBy('created_at')
    .limit(100)
    .execute();
  return rows.map(({ id }) => id);
};

export const markJudged = async (transaction: Kysely<Schema>, id: string): Promise<void> => {
  await transaction.updateTable('import_task').set({ judged_at: sql`now()` }).where('id', '=', id).execute();
};

/** A study of the import is of a patient with protected identity, by its decision or in the archive. */
const isOfProtected = sql<boolean>`exists (
  select from import_study
    join patient on patient.id = import_study.patient_id or patient.id = (
      select study.patient_id from study where study.customer_id = import_task.customer_id and study.uid = import_study.key)
  where import_study.task_id = import_task.id and patient.has_protected_identity)`;

/** Returns whether only users who see protected identities may be notified of an import. */
export const concernsProtected = async (db: Kysely<Schema>, taskId: string): Promise<boolean> =>
  (await db.selectFrom('import_task').select('id').where('id', '=', taskId).where(isOfProtected).executeTakeFirst()) !==
  undefined;

/** Received imports listed at the same time. */
const maxReceived = 50;

/**
 * What programs and devices sent to a clinic and a user must decide about, newest first, failed ones too. Without `seesProtected`, none that is
 * of a patient with protected identity.
 */
export const receivedTasks = (
  db: Kysely<Schema>,
  { customerId, seesProtected }: { readonly customerId: string; readonly seesProtected: boolean },
): Promise<ImportTaskRow[]> =>
  db
    .selectFrom('import_task')
    .selectAll('import_task')
    .where('customer_id', '=', customerId)
    .where('source', 'is not', null)
    .where('step', '<', importSteps.done)
    .where('cancelled', '=', false)
    .where((where) => where.or([where('judged_at', 'is not', null), where('error', '=', true)]))
    .$if(!seesProtected, (query) => query.where((where) => where.not(isOfProtected)))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(maxReceived)
    .execute();

/** Returns the account, service account or device that an import is of: the user who confirmed it, else what began it. */
export const actorOf = (task: Pick<ImportTaskRow, 'confirmed_by' | 'account_id' | 'source_id'>): string => {
  const actor = task.confirmed_by ?? task.account_id ?? task.source_id;
  if (actor === null) throw new Error('an import has neither a user nor a source');
  return actor;
};
