import { importSteps } from '../../../contract/imports.ts';
import { nextToRead } from '../../db/stores/import-files.ts';
import { findTask, type ImportFileRow, type ImportTaskRow } from '../../db/stores/imports.ts';
import { type Parsing, readFiles } from './parse.ts';
import { Stopped } from './stopped.ts';

/** Read together, and written in one transaction: little enough that a person sees it go on, and that a crash costs little. */
const mostFiles = 32;
const mostBytes = 64 * 2 ** 20;

const chunkOf = (rows: readonly ImportFileRow[]): readonly ImportFileRow[] => {
  let bytes = 0;
  return rows.filter((row, index) => {
    bytes += row.size_bytes;
    return index === 0 || bytes <= mostBytes;
  });
};

export interface Reader {
  /** Reads all that a task has received. @throws as `readFiles` */
  readAll(task: ImportTaskRow, signal: AbortSignal, onRead: () => Promise<void>): Promise<void>;
  /** Files have come: reads them while the rest is still being uploaded. The step stays. */
  ahead(taskId: string): void;
  close(): Promise<void>;
}

/** Reads the files of imports on this node: each task's in one place at a time. */
export const createReader = (parsing: Parsing, onFailure: (error: unknown, taskId: string) => void): Reader => {
  const { db } = parsing;
  const closing = new AbortController();
  const running = new Map<string, Promise<void>>();
  const asked = new Set<string>();

  const readUploaded = async (taskId: string): Promise<void> => {
    const zips: string[] = [];
    while (!closing.signal.aborted) {
      const task = await findTask(db, taskId);
      if (!task || task.error || task.step !== importSteps.uploading) return;
      const rows = chunkOf(await nextToRead(db, taskId, mostFiles, zips));
      if (rows.length === 0) return;
      const onRead = async () => undefined;
      zips.push(...(await readFiles(parsing, task, rows, { signal: closing.signal, onRead, zips: 'kept' })));
    }
  };

  const ahead = (taskId: string): void => {
    if (closing.signal.aborted) return;
    if (running.has(taskId)) {
      asked.add(taskId);
      return;
    }
    const run = readUploaded(taskId)
      .catch((error) => {
        if (!closing.signal.aborted && !(error instanceof Stopped)) onFailure(error, taskId);
      })
      .finally(() => {
        running.delete(taskId);
        // More came just when nothing was found.
        if (asked.delete(taskId)) ahead(taskId);
      });
    running.set(taskId, run);
  };

  return {
    ahead,
    readAll: async (task, signal, onRead) => {
      // What is read ahead ends with the files in hand: the step is another one by now.
      await running.get(task.id);
      for (;;) {
        signal.throwIfAborted();
        const rows = chunkOf(await nextToRead(db, task.id, mostFiles));
        if (rows.length === 0) return;
        await readFiles(parsing, task, rows, { signal, onRead, zips: 'refused' });
      }
    },
    close: async () => {
      closing.abort(new Error('the server is closing'));
      await Promise.all(running.values());
    },
  };
};
