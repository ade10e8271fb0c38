import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { isOpenCustomer } from '../db/stores/customer-store.ts';
import { endFullTask, ensureReceivingTask, noteSent, type ObjectSender } from '../db/stores/received-tasks.ts';
import { ProblemError } from '../domain/problem-error.ts';
import type { StoredFile } from '../storage/file-store.ts';
import { inGroups } from './receive/in-groups.ts';
import { insertFiles } from './receive/insert-files.ts';
import { safeFileName } from './receive/safe-path.ts';

export type { ObjectSender } from '../db/stores/received-tasks.ts';

/** UIDs of an object, as its sender or its data set has them; an empty study UID when there is none. */
export interface SentObject {
  readonly studyInstanceUid: string;
  readonly sopInstanceUid: string;
}

export interface RecordedObject {
  readonly taskId: string;
  readonly fileId: string;
}

/** Takes objects that arrive without a user who chose them. */
export interface ObjectReceiver {
  /**
   * Commits the row of an object whose bytes are durable. When it resolves, the object may be acknowledged. The same bytes sent again to an open
   * import are one row.
   * @throws ProblemError 'not-found' for a clinic that is deleted; database errors
   */
  record(sender: ObjectSender, object: SentObject, stored: StoredFile): Promise<RecordedObject>;
  /** Tells that the sender has ended (the association, the request), so that its imports wait no longer than a moment. */
  finish(taskIds: Iterable<string>): Promise<void>;
}

export interface ReceiverOptions {
  readonly db: Kysely<Schema>;
  readonly filesPerImport: number;
  /** Called when the row is committed. */
  readonly onReceived?: (taskId: string, files: number) => void;
}

/** Objects in one transaction; an import that has no place for all of them is moved on. */
const maxTogether = 16;

/** Attempts when the import ends, or another one opens it, just as an object arrives. */
const attempts = 5;

const isTemporary = (error: unknown): boolean =>
  error instanceof ProblemError && (error.code === 'import-wrong-step' || error.code === 'import-not-found');

const isFull = (error: unknown): boolean => error instanceof ProblemError && error.code === 'too-many-files';

/** PostgreSQL stores no NUL, and an index has limits. */
const printable = (uid: string): string => uid.replace(/[^\x20-\x7e]/g, '').slice(0, 64);

/** An object of a study, whose bytes are durable. */
interface DurableObject {
  readonly sender: ObjectSender;
  readonly study: string;
  readonly sopInstanceUid: string;
  readonly stored: StoredFile;
}

/**
 * Creates the receiver. It needs nothing but the database, so that any process with the files folder can receive. Objects of one study that
 * arrive while a transaction runs are recorded together by the next.
 */
export const createObjectReceiver = ({ db, filesPerImport, onReceived }: ReceiverOptions): ObjectReceiver => {
  const insert = (
    { sender, study }: DurableObject,
    objects: readonly DurableObject[],
    taskFound: (id: string) => void,
  ): Promise<RecordedObject[] | null> =>
    db.transaction().execute(async (transaction) => {
      if (!(await isOpenCustomer(transaction, sender.customerId))) throw new ProblemError('not-found');
      const task = await ensureReceivingTask(transaction, sender, study);
      if (!task) return null;
      taskFound(task.id);
      const files = objects.map(({ sopInstanceUid, stored }) => {
        const name = safeFileName(`${sopInstanceUid}.dcm`);
        return { ...stored, fileName: name, path: name };
      });
      const entered = await insertFiles(transaction, task.id, files, filesPerImport);
      if (task.isNew)
        await insertAccesses(transaction, [
          {
            at: new Date(),
            accountId: sender.sourceId,
            customerId: sender.customerId,
            patientId: null,
            action: 'import.begun',
            objectId: task.id,
          },
        ]);
      return entered.map(({ fileId }) => ({ taskId: task.id, fileId }));
    });

  const recordOnce = async (first: DurableObject, objects: readonly DurableObject[]) => {
    let taskId = '';
    try {
      return await insert(first, objects, (id) => {
        taskId = id;
      });
    } catch (error) {
      if (isFull(error)) await endFullTask(db, taskId);
      else if (!isTemporary(error)) throw error;
      return null;
    }
  };

  const record = inGroups(Math.min(filesPerImport, maxTogether), async (objects: readonly DurableObject[]) => {
    const [first] = objects;
    for (let attempt = 0; first && attempt < attempts; attempt += 1) {
      const recorded = await recordOnce(first, objects);
      if (!recorded) continue;
      onReceived?.(recorded[0]?.taskId ?? '', recorded.length);
      return recorded;
    }
    throw new Error('the import of a received object ends again and again');
  });

  return {
    record: (sender, { studyInstanceUid, sopInstanceUid }, stored) => {
      const study = printable(studyInstanceUid);
      return record(JSON.stringify([sender, study]), { sender, study, sopInstanceUid, stored });
    },
    finish: (taskIds) => noteSent(db, [...new Set(taskIds)]),
  };
};
