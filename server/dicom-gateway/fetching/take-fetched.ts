import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { noteFetched } from '../../db/stores/dicom-fetch-work.ts';
import type { MovingStudy } from '../../db/stores/dicom-moves.ts';
import { findBySopInstances } from '../../db/stores/images.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { insertFiles } from '../../imports/receive/insert-files.ts';
import { safeFileName } from '../../imports/receive/safe-path.ts';
import type { FileStore, StoredFile } from '../../storage/file-store.ts';
import { dataSetHash } from '../data-set-of.ts';

interface Taking {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly filesPerImport: number;
  readonly study: Omit<MovingStudy, 'outcome'>;
  /** Whether the fetch still takes images, until the transaction ends. */
  readonly hold: (transaction: Transaction<Schema>) => Promise<boolean>;
}

/** Whether the patient has the object, also in a file with other meta information. */
const isKnown = async ({ db, files, study }: Taking, uid: string, sha256: string): Promise<boolean> => {
  const same = await findBySopInstances(db, study.customer_id, [uid]);
  for (const row of same.filter((one) => one.patient_id === study.patient_id && !one.is_binned))
    if (row.sha256 === sha256 || (await dataSetHash(files, row.sha256)) === (await dataSetHash(files, sha256)))
      return true;
  return false;
};

/**
 * Records an object of a fetch whose bytes are durable: the row in its import and the outcome together. False when the fetch has ended.
 * @throws ProblemError 'too-many-files', which is recorded
 */
export const takeFetched = async (taking: Taking, uid: string, stored: StoredFile): Promise<boolean> => {
  const { db, filesPerImport, study, hold } = taking;
  if (await isKnown(taking, uid, stored.sha256)) {
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
