import type { Kysely } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { countFiles } from '../../db/stores/import-files.ts';
import { reviveFiles } from '../../db/stores/import-outcomes.ts';
import { advance, beginAgain, type ImportTaskRow, lockTask, withdrawTask } from '../../db/stores/imports.ts';
import { Refusal } from '../../refusal.ts';

/** Decisions about one task take turns, and files that come in wait for them. */
const withTask = <Result>(
  db: Kysely<Schema>,
  id: string,
  decide: (transaction: Kysely<Schema>, task: ImportTaskRow) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, id, 'update');
    if (!task) throw new Refusal('import-not-found');
    return decide(transaction, task);
  });

/**
 * All files are up. Asking again while it runs, or when it is over, changes nothing: the first reply may have been lost.
 * @throws Refusal 'import-not-found', 'import-wrong-step', 'nothing-to-import'
 */
export const startParsing = (db: Kysely<Schema>, id: string): Promise<void> =>
  withTask(db, id, async (transaction, task) => {
    if (task.error || task.step > importSteps.validation) throw new Refusal('import-wrong-step');
    if (task.step !== importSteps.uploading) return;
    if ((await countFiles(transaction, id)).size === 0) throw new Refusal('nothing-to-import');
    await advance(transaction, id, 'uploading');
  });

/**
 * A person does not want it. The files stay in the ledger, refused to every later step; asking again changes nothing.
 * @throws Refusal 'import-not-found'; 'import-wrong-step' once it was confirmed
 */
export const cancelImport = (db: Kysely<Schema>, id: string): Promise<void> =>
  withTask(db, id, async (transaction, task) => {
    if (task.cancelled) return;
    // What failed may be put away at any step: nothing works on it any more.
    if (!task.error && task.step > importSteps.validation) throw new Refusal('import-wrong-step');
    await withdrawTask(transaction, id);
  });

const working: readonly number[] = [importSteps.preparing, importSteps.parsing, importSteps.importing];

/**
 * Files that were refused for a passing reason are read again, and a person decides about them again. Changes nothing when there are none, or
 * while the import is at work. Returns whether there is something to do.
 * @throws Refusal 'import-not-found'; 'import-wrong-step' when it was withdrawn
 */
export const retryImport = (db: Kysely<Schema>, id: string): Promise<boolean> =>
  withTask(db, id, async (transaction, task) => {
    if (task.cancelled) throw new Refusal('import-wrong-step');
    if (!task.error && working.includes(task.step)) return false;
    if ((await reviveFiles(transaction, id)) === 0) return false;
    if (task.error || task.step !== importSteps.uploading) await beginAgain(transaction, id);
    return true;
  });
