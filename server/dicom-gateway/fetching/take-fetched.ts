import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { noteFetched } from '../../db/stores/dicom-fetch-work.ts';
import type { MovingStudy } from '../../db/stores/dicom-moves.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { insertFiles } from '../../imports/receive/insert-files.ts';
import { safeFileName } from '../../imports/receive/safe-path.ts';
import type { FileStore, StoredFile } from '../../storage/file-store.ts';
import { hasObject } from '../has-object.ts';

interface Taking {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly filesPerImport: number;
  readonly study: Omit<MovingStudy, 'outcome'>;
  /** Whether the fetch still takes images, until the transaction ends. */
  readonly hold: (transaction: Transaction<Schema>) => Promise<boolean>;
}

/**
 * Records an object of a fetch whose bytes are durable: the row in its import and the outcome together. False when the fetch has ended.
 * @throws ProblemError 'too-many-files', which is recorded
 */
export const takeFetched = async (taking: Taking, uid: string, stored: StoredFile): Promise<boolean> => {
  const { db, files, filesPerImport, study, hold } = taking;
  const object = { customerId: study.customer_id, sopInstanceUid: uid, sha256: stored.sha256 };
  if (await hasObject({ db, files }, object, (image) => image.patient_id === study.patient_id)) {
    await noteFetched(db, study, [uid], 'known');
    return true;
  }
  const name = safeFileName(`${uid}.dcm`);
  try {
    return await db.transaction().execute(async (transaction) => {
      if (!(await hold(transaction))) return false;
      await insertFiles(transaction, study.task_id, [{ ...stored, fileName: name, path: name }], filesPerImport);
      await noteFetched(transaction, study, [uid], 'fetched');
      return true;
    });
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'too-many-files')
      await noteFetched(db, study, [uid], 'too-many');
    throw error;
  }
};
