import type { Kysely } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { countFiles } from '../../db/stores/import-files.ts';
import { requeueFiles } from '../../db/stores/import-outcomes.ts';
import { advance, type ImportTaskRow, lockTask, restartTask, withdrawTask } from '../../db/stores/imports.ts';
import { ProblemError } from '../../domain/problem-error.ts';

/** The task lock serializes decisions, and uploads wait for it. */
const withTask = <Result>(
  db: Kysely<Schema>,
  id: string,
  decide: (transaction: Kysely<Schema>, task: ImportTaskRow) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, id, 'update');
    if (!task) throw new ProblemError('import-not-found');
    return decide(transaction, task);
  });

/**
 * Starts parsing: all files are uploaded. Idempotent, as the first reply may have been lost.
 * @throws ProblemError 'import-not-found', 'import-wrong-step', 'nothing-to-import'
 */
export const startParsing = (db: Kysely<Schema>, id: string): Promise<void> =>
  withTask(db, id, async (transaction, task) => {
    if (task.error || task.step > importSteps.validation) throw new ProblemError('import-wrong-step');
    if (task.step !== importSteps.uploading) return;
    if ((await countFiles(transaction, id)).size === 0) throw new ProblemError('nothing-to-import');
    await advance(transaction, id, 'uploading');
  });

/**
 * Cancels an import. Its files stay in the ledger but are excluded from later steps. Idempotent.
 * @throws ProblemError 'import-not-found'; 'import-wrong-step' once confirmed
 */
export const cancelImport = (db: Kysely<Schema>, id: string): Promise<void> =>
  withTask(db, id, async (transaction, task) => {
    if (task.cancelled) return;
    // A failed import may be cancelled at any step, because no job works on it.
    if (!task.error && task.step > importSteps.validation) throw new ProblemError('import-wrong-step');
    await withdrawTask(transaction, id);
  });

const working: readonly number[] = [importSteps.preparing, importSteps.parsing, importSteps.importing];

/**
 * Reads the files again that were refused temporarily; a user then decides again. Does nothing when there are none, or while the import is
 * running. Returns whether there is work.
 * @throws ProblemError 'import-not-found'; 'import-wrong-step' when cancelled
 */
export const retryImport = (db: Kysely<Schema>, id: string): Promise<boolean> =>
  withTask(db, id, async (transaction, task) => {
    if (task.cancelled) throw new ProblemError('import-wrong-step');
    if (!task.error && working.includes(task.step)) return false;
    if ((await requeueFiles(transaction, id)) === 0) return false;
    if (task.error || task.step !== importSteps.uploading) await restartTask(transaction, id);
    return true;
  });
