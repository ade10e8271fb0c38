import type { Kysely } from 'kysely';
import { type ImportStep, importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { countFiles } from '../../db/stores/import-files.ts';
import { studiesOfTasks } from '../../db/stores/import-studies.ts';
import { advance, failTask, findTask, type ImportTaskRow, lockTask } from '../../db/stores/imports.ts';
import { Stopped } from '../../jobs/stopped.ts';
import { finishParsing } from './finish-parsing.ts';
import { importStudy, type StudyWork } from './import-study.ts';
import { type Preparing, prepare } from './prepare.ts';
import type { Reader } from './reader.ts';

export interface TaskWork extends Preparing, StudyWork {
  readonly db: Kysely<Schema>;
  readonly reader: Pick<Reader, 'readAll'>;
  /** Called when images were imported, so that thumbnails can be made. */
  readonly onImported: () => void;
}

const parse = async ({ db, events, reader }: TaskWork, task: ImportTaskRow, signal: AbortSignal): Promise<void> => {
  const counts = await countFiles(db, task.id);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const progress = events.counter(task, 'parsing', total, total - (counts.get('received') ?? 0));
  await reader.readAll(task, signal, progress.tick);
  await progress.finish();
  const parsed = await finishParsing(db, task.id);
  await events.parsed(task, parsed !== 'failed');
  if (parsed === 'done') await events.imported(task, true);
};

/** An import is done when every file has a final status. */
const finishImport = (db: Kysely<Schema>, taskId: string): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, taskId, 'update');
    if (!task || task.error || task.step !== importSteps.importing) throw new Stopped();
    const counts = await countFiles(transaction, taskId);
    for (const status of ['received', 'parsed'] as const)
      if (counts.get(status)) throw new Error(`files of the import are still ${status}`);
    const succeeded = (counts.get('imported') ?? 0) + (counts.get('duplicate') ?? 0) > 0;
    if (succeeded) await advance(transaction, taskId, 'importing');
    else await failTask(transaction, taskId);
    return succeeded;
  });

const importStudies = async (work: TaskWork, task: ImportTaskRow, signal: AbortSignal): Promise<void> => {
  const { db, events } = work;
  const counts = await countFiles(db, task.id);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const progress = events.counter(task, 'importing', total, total - (counts.get('parsed') ?? 0));
  for (const study of await studiesOfTasks(db, [task.id])) await importStudy(work, task, study, signal, progress);
  await progress.finish();
  const succeeded = await finishImport(db, task.id);
  work.onImported();
  await events.imported(task, succeeded);
};

type Step = (work: TaskWork, task: ImportTaskRow, signal: AbortSignal) => Promise<void>;

const automaticSteps: Partial<Record<ImportStep, Step>> = {
  preparing: prepare,
  parsing: parse,
  importing: importStudies,
};
const stepOf = (task: ImportTaskRow) =>
  (Object.keys(importSteps) as ImportStep[]).find((name) => importSteps[name] === task.step);

/**
 * Runs the steps of a task until a user must decide or it is done. Each step starts from the ledger and writes outcomes as it goes, so it can
 * be stopped anywhere and resumed by any node.
 * @throws the abort reason of the signal; errors that do not concern single files, such as an unavailable database
 */
export const runTask = async (work: TaskWork, id: string, signal: AbortSignal): Promise<void> => {
  for (;;) {
    const task = await findTask(work.db, id);
    const step = task && !task.error ? stepOf(task) : undefined;
    const doStep = step && automaticSteps[step];
    if (!task || !doStep) return;
    try {
      await doStep(work, task, signal);
    } catch (error) {
      // Cancelled meanwhile: the next read of the task shows it.
      if (!(error instanceof Stopped)) throw error;
    }
  }
};
