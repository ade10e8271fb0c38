import type { Kysely } from 'kysely';
import { type ImportStep, importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { restoreImage } from '../../db/stores/images.ts';
import { putStudies } from '../../db/stores/import-studies.ts';
import {
  advance,
  failTask,
  filesOfTasks,
  findTask,
  type ImportFileRow,
  type ImportTaskRow,
  settleFile,
} from '../../db/stores/imports.ts';
import type { FileStore } from '../../storage/file-store.ts';
import { refusalOf } from '../read/refused-file.ts';
import type { ImportNews } from './import-news.ts';
import { inParallel } from './in-parallel.ts';
import { findStudies } from './studies.ts';

export interface TaskWork {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly news: ImportNews;
  /** Parses one file and writes into the ledger what it is. */
  readonly parse: (task: ImportTaskRow, file: ImportFileRow) => Promise<void>;
  /** Takes one parsed file into the archive. */
  readonly importFile: (task: ImportTaskRow, file: ImportFileRow) => Promise<boolean>;
  readonly parallelFiles: number;
  /** Images came in: their thumbnails can be made. */
  readonly onImported: () => void;
}

const isImportable = (file: ImportFileRow): boolean => file.status === 'parsed' || file.status === 'duplicate';
const isHeld = (file: ImportFileRow): boolean => file.status === 'imported' || file.status === 'duplicate';

/** Looks whether the bytes that were acknowledged are still there, before anybody waits for a decoder. */
const prepare = async ({ db, files, news }: TaskWork, task: ImportTaskRow, signal: AbortSignal): Promise<void> => {
  await news.preparing(task);
  for (const file of await filesOfTasks(db, [task.id])) {
    signal.throwIfAborted();
    if (file.status !== 'received') continue;
    if (file.sha256 !== null && (await files.sizeOf(file.sha256)) === file.size_bytes) continue;
    const detail = 'the bytes that were received are not in the store any more';
    await settleFile(db, file.id, 'received', { status: 'refused', problem: 'storage-failed', detail });
  }
  await advance(db, task.id, 'preparing');
};

const parse = async (work: TaskWork, task: ImportTaskRow, signal: AbortSignal): Promise<void> => {
  const { db, news } = work;
  const files = await filesOfTasks(db, [task.id]);
  const waiting = files.filter((file) => file.status === 'received');
  const count = news.counter(task, 'parsing', files.length, files.length - waiting.length);
  await inParallel(waiting, work.parallelFiles, async (file) => {
    signal.throwIfAborted();
    await work.parse(task, file);
    await count();
  });
  const succeeded = (await filesOfTasks(db, [task.id])).some(isImportable);
  const studies = await findStudies(db, task);
  await db.transaction().execute(async (transaction) => {
    await putStudies(transaction, task.id, studies);
    await advance(transaction, task.id, 'parsing');
    if (!succeeded) await failTask(transaction, task.id);
  });
  await news.parsed(task, succeeded);
};

const importFiles = async (work: TaskWork, task: ImportTaskRow, signal: AbortSignal): Promise<void> => {
  const { db, news } = work;
  const files = await filesOfTasks(db, [task.id]);
  const waiting = files.filter((file) => file.status === 'parsed');
  const count = news.counter(task, 'importing', files.length, files.length - waiting.length);
  // What the archive held already may lie in the recycle bin by now.
  for (const { status, image_id } of files)
    if (status === 'duplicate' && image_id)
      await db.transaction().execute((transaction) => restoreImage(transaction, image_id));
  // One after the other: files of one study wait for its row anyway.
  for (const file of waiting) {
    signal.throwIfAborted();
    try {
      await work.importFile(task, file);
    } catch (error) {
      const { problem, detail } = refusalOf(error);
      await settleFile(db, file.id, 'parsed', { status: 'refused', problem, detail });
    }
    await count();
  }
  const succeeded = (await filesOfTasks(db, [task.id])).some(isHeld);
  if (succeeded) await advance(db, task.id, 'importing');
  else await failTask(db, task.id);
  work.onImported();
  await news.imported(task, succeeded);
};

const workOf: Partial<Record<ImportStep, typeof prepare>> = {
  preparing: prepare,
  parsing: parse,
  importing: importFiles,
};
const stepOf = (task: ImportTaskRow) =>
  (Object.keys(importSteps) as ImportStep[]).find((name) => importSteps[name] === task.step);

/**
 * Does what a task waits for, step by step, until a person must decide or it is done. Every step begins with what the ledger says and
 * writes each file's outcome at once, so it can be stopped anywhere and taken up again by anybody.
 * @throws what stopped it: the signal, a database that is away
 */
export const runTask = async (work: TaskWork, id: string, signal: AbortSignal): Promise<void> => {
  const task = await findTask(work.db, id);
  const step = task && !task.error ? stepOf(task) : undefined;
  const doStep = step && workOf[step];
  if (!task || !doStep) return;
  await doStep(work, task, signal);
  await runTask(work, id, signal);
};
