import type { Kysely } from 'kysely';
import { importSteps, namedPatient } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import {
  advance,
  failTask,
  filesOfTasks,
  type ImportFileRow,
  type ImportTaskRow,
  lockTask,
} from '../../db/stores/imports.ts';
import { Refusal } from '../../refusal.ts';

const withTask = (
  db: Kysely<Schema>,
  id: string,
  decide: (transaction: Kysely<Schema>, task: ImportTaskRow, files: readonly ImportFileRow[]) => Promise<void>,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, id, 'update');
    if (!task) throw new Refusal('import-not-found');
    if (task.error) throw new Refusal('import-wrong-step');
    await decide(transaction, task, await filesOfTasks(transaction, [id]));
  });

/**
 * All files are up. Asking again while it runs, or when it is over, changes nothing: the first reply may have been lost.
 * @throws Refusal 'import-not-found', 'import-wrong-step', 'nothing-to-import'
 */
export const startParsing = (db: Kysely<Schema>, id: string): Promise<void> =>
  withTask(db, id, async (transaction, task, files) => {
    if (task.step > importSteps.validation) throw new Refusal('import-wrong-step');
    if (task.step !== importSteps.uploading) return;
    if (files.length === 0) throw new Refusal('nothing-to-import');
    await advance(transaction, id, 'uploading');
  });

const namesSomebodyElse = (file: ImportFileRow): boolean =>
  file.status === 'parsed' && file.named_patient !== null && namedPatient.parse(file.named_patient).match === 'differs';

/**
 * A person wants what parsed. Asking again changes nothing, as above.
 * @throws Refusal 'import-not-found', 'import-wrong-step', 'nothing-to-import'; 'mismatch-not-confirmed' when a file names another patient
 */
export const confirmImport = (db: Kysely<Schema>, id: string, mismatchConfirmed: boolean): Promise<void> =>
  withTask(db, id, async (transaction, task, files) => {
    if (task.step < importSteps.validation) throw new Refusal('import-wrong-step');
    if (task.step !== importSteps.validation) return;
    if (!files.some((file) => file.status === 'parsed' || file.status === 'duplicate')) {
      throw new Refusal('nothing-to-import');
    }
    if (!mismatchConfirmed && files.some(namesSomebodyElse)) throw new Refusal('mismatch-not-confirmed');
    await advance(transaction, id, 'validation', { mismatchConfirmed });
  });

/**
 * A person does not want it. The files stay in the ledger, refused to every later step; asking again changes nothing.
 * @throws Refusal 'import-not-found'; 'import-wrong-step' once it was confirmed, or while it is being read
 */
export const cancelImport = (db: Kysely<Schema>, id: string): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, id, 'update');
    if (!task) throw new Refusal('import-not-found');
    if (task.error) return;
    if (task.step !== importSteps.uploading && task.step !== importSteps.validation)
      throw new Refusal('import-wrong-step');
    await failTask(transaction, id);
  });
