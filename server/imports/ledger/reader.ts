import { importSteps } from '../../../contract/imports.ts';
import { nextToRead } from '../../db/stores/import-files.ts';
import { findTask, type ImportFileRow, type ImportTaskRow } from '../../db/stores/imports.ts';
import { Stopped } from '../../jobs/stopped.ts';
import { type Parsing, readFiles } from './parse.ts';

/** Files per transaction: few enough to show progress and to lose little in a crash. */
const maxFiles = 32;
const maxBytes = 64 * 2 ** 20;

const chunkOf = (rows: readonly ImportFileRow[]): readonly ImportFileRow[] => {
  let bytes = 0;
  return rows.filter((row, index) => {
    bytes += row.size_bytes;
    return index === 0 || bytes <= maxBytes;
  });
};

export interface Reader {
  /** Reads all received files of a task. @throws as `readFiles` */
  readAll(task: ImportTaskRow, signal: AbortSignal, onRead: () => Promise<void>): Promise<void>;
  /** Reads received files while others are still uploading. The step does not change. */
  ahead(taskId: string): void;
  close(): Promise<void>;
}

export interface ReaderParts extends Parsing {
  /** False while the folder of files is missing. */
  readonly isAvailable: () => boolean;
}

/** Creates the reader of this node; each task is read by one loop at a time. */
export const createReader = (
  { isAvailable, ...parsing }: ReaderParts,
  onFailure: (error: unknown, taskId: string) => void,
): Reader => {
  const { db } = parsing;
  const closing = new AbortController();
  const running = new Map<string, Promise<void>>();
  const requested = new Set<string>();

  const readUploaded = async (taskId: string): Promise<void> => {
    const zips: string[] = [];
    while (!closing.signal.aborted && isAvailable()) {
      const task = await findTask(db, taskId);
      if (!task || task.error || task.step !== importSteps.uploading) return;
      const rows = chunkOf(await nextToRead(db, taskId, maxFiles, zips));
      if (rows.length === 0) return;
      const onRead = async () => undefined;
      zips.push(...(await readFiles(parsing, task, rows, { signal: closing.signal, onRead, zips: 'deferred' })));
    }
  };

  const ahead = (taskId: string): void => {
    if (closing.signal.aborted) return;
    if (running.has(taskId)) {
      requested.add(taskId);
      return;
    }
    const run = readUploaded(taskId)
      .catch((error) => {
        if (!closing.signal.aborted && !(error instanceof Stopped)) onFailure(error, taskId);
      })
      .finally(() => {
        running.delete(taskId);
        // More files may have come just as nothing was found.
        if (requested.delete(taskId)) ahead(taskId);
      });
    running.set(taskId, run);
  };

  return {
    ahead,
    readAll: async (task, signal, onRead) => {
      // Reading ahead ends with the current files, because the step has changed.
      await running.get(task.id);
      for (;;) {
        signal.throwIfAborted();
        const rows = chunkOf(await nextToRead(db, task.id, maxFiles));
        if (rows.length === 0) return;
        await readFiles(parsing, task, rows, { signal, onRead, zips: 'rejected' });
      }
    },
    close: async () => {
      closing.abort(new Error('the server is closing'));
      await Promise.all(running.values());
    },
  };
};
