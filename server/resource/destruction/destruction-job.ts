import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { type Access, insertAccesses } from '../../db/stores/access-log.ts';
import { destroyImportsOfClinic } from '../../db/stores/destroy-imports.ts';
import { cancelImportsOfRecord, type DestroyedSubject, destroyRecords } from '../../db/stores/destroy-records.ts';
import {
  begunDestructionOrders,
  type DestructionOrderRow,
  destructionSubject,
  dueDestructionOrders,
  findDestructionOrder,
  hasRetentionEnded,
  moveDestructionOrder,
  patientsToDestroy,
} from '../../db/stores/destruction-orders.ts';
import type { RecordEvents } from '../../domain/record-events.ts';
import { type IntervalJob, startIntervalJob } from '../../jobs/interval-job.ts';
import { type FileRemoval, removeListedFiles } from './remove-files.ts';

export interface DestructionParts extends FileRemoval {
  readonly events: Pick<RecordEvents, 'patientChanged' | 'viewsetsChanged'>;
}

type Order = DestructionOrderRow;

/** Returns the log entry of an order, by the account that approved it. */
const entryOf = (
  { id, customer_id, decided_by, reference }: Order,
  patientId: string | null,
  action: Access['action'],
): Access => ({
  accountId: decided_by,
  customerId: customer_id,
  patientId,
  action,
  objectId: id,
  detail: reference,
  at: new Date(),
});

/** Begins a due order, or ends it when its retention goes on again or its record is gone. */
const begin = (db: Kysely<Schema>, id: string): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const order = await findDestructionOrder(transaction, id);
    if (!order) return;
    const subject = await destructionSubject(transaction, order.kind, order.subject_id);
    const isAllowed = subject && (order.basis === 'authority' || (await hasRetentionEnded(transaction, subject)));
    if (isAllowed) {
      await moveDestructionOrder(transaction, id, { from: ['approved'], to: 'destroying' });
      return;
    }
    const change = { from: ['approved'], to: 'lapsed' } as const;
    if (await moveDestructionOrder(transaction, id, change, { ended_at: new Date() }))
      await insertAccesses(transaction, [entryOf(order, order.patient_id, 'destruction.lapsed')]);
  });

const subjectsOf = async (db: Kysely<Schema>, { kind, subject_id }: Order): Promise<DestroyedSubject[]> =>
  kind === 'clinic'
    ? (await patientsToDestroy(db, subject_id)).map((id) => ({ kind: 'patient', id }))
    : [{ kind, id: subject_id }];

/** Carries out an order that has begun. Returns early, to be continued, while an import or a file must be waited for. */
const carryOut = async (parts: DestructionParts, order: Order, signal: AbortSignal): Promise<void> => {
  const { db, events, onStep = () => undefined } = parts;
  const principal = { accountId: order.decided_by ?? order.proposed_by };
  const subjects = await subjectsOf(db, order);
  let removedRows = false;
  for (const subject of subjects) {
    signal.throwIfAborted();
    onStep('imports');
    if (await cancelImportsOfRecord(db, subject)) return;
    onStep('rows');
    const viewsets = await destroyRecords(db, order, subject);
    if (!viewsets) continue;
    removedRows = true;
    onStep('events');
    const patientId = subject.kind === 'patient' ? subject.id : (order.patient_id ?? '');
    const record = { principal, customerId: order.customer_id, patientId };
    await events.patientChanged(record);
    await events.viewsetsChanged(record, viewsets);
  }
  if (order.kind === 'clinic') {
    onStep('imports of the clinic');
    if (!(await destroyImportsOfClinic(db, order.id, order.subject_id))) return;
  }
  // A rendition that was begun before is written meanwhile; the next run removes it with its file.
  if (removedRows) return;
  onStep('files');
  if (!(await removeListedFiles(parts, order.id, signal))) return;
  onStep('end');
  await db.transaction().execute(async (transaction) => {
    const change = { from: ['destroying'], to: 'destroyed' } as const;
    if (!(await moveDestructionOrder(transaction, order.id, change, { ended_at: new Date() }))) return;
    await insertAccesses(transaction, [entryOf(order, order.patient_id, 'destruction.done')]);
  });
};

/**
 * Begins all due orders and carries out those begun. Each step can be repeated, so that any node continues after a crash: rows go first, and list
 * their files in the same transaction; then the files go.
 */
export const destroyDue = async (
  parts: DestructionParts,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> => {
  for (const id of await dueDestructionOrders(parts.db)) {
    parts.onStep?.('begin');
    await begin(parts.db, id);
  }
  for (const order of await begunDestructionOrders(parts.db)) await carryOut(parts, order, signal);
};

const everyMs = 300_000;

/** Carries out due orders now and every five minutes. */
export const startDestruction = (parts: DestructionParts, onFailure: (error: unknown) => void): IntervalJob =>
  startIntervalJob(everyMs, (signal) => destroyDue(parts, signal), onFailure);
