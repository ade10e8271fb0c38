import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openProcessLease } from './process-lease.ts';

/** A file that was being decoded in this many process crashes is not decoded again. */
export const maxCrashes = 3;

/** Records which files were being decoded when processes crashed, in a folder that outlives them. */
export interface CrashMarks {
  /** Number of crashes while this file was being decoded, since its last job that ended otherwise. */
  crashesOf(file: string): number;
  /** Returns the path of a job's mark; null without a folder. */
  markOf(file: string, job: number): string | null;
  /** Removes the marks of a job after it ended in any way but a crash. */
  release(file: string, mark: string | null): void;
  close(): void;
}

/** Called by the worker directly before it opens the file; nothing else can run in its thread in between. */
export const writeMark = (mark: string | null): void => {
  if (mark !== null) writeFileSync(mark, '');
};

/** Called by the worker when the job has ended. */
export const removeMark = (mark: string | null): void => {
  if (mark !== null) rmSync(mark, { force: true });
};

const none: CrashMarks = {
  crashesOf: () => 0,
  markOf: () => null,
  release: () => undefined,
  close: () => undefined,
};

/**
 * Opens the marks. They are empty files: `<file>@<process>-<job>` while a job runs, `<file>#<crashes>` after a crash. Files are identified by
 * name, which in the archive is the content hash. Several nodes may share the folder.
 */
export const openCrashMarks = (folder: string | null): CrashMarks => {
  if (folder === null) return none;
  mkdirSync(folder, { recursive: true });
  const lease = openProcessLease(path.join(folder, 'processes'));
  const deaths = new Map<string, number>();
  const dead = new Map<string, Set<string>>();
  for (const name of readdirSync(folder)) {
    const [, counted, count] = /^(.+)#(\d+)$/.exec(name) ?? [];
    if (counted) deaths.set(counted, Math.max(Number(count), deaths.get(counted) ?? 0));
    const [, held, owner = ''] = /^(.+)@(\w+)-\d+$/.exec(name) ?? [];
    if (held && !lease.isHeld(owner)) dead.set(held, (dead.get(held) ?? new Set()).add(name));
  }
  const forget = (file: string) => {
    const count = deaths.get(file);
    if (count !== undefined) rmSync(path.join(folder, `${file}#${count}`), { force: true });
    deaths.delete(file);
  };
  for (const [file, marks] of dead) {
    // Two jobs of one process on the same file count as one crash.
    const processes = new Set([...marks].map((mark) => mark.slice(file.length).split('-')[0]));
    const count = (deaths.get(file) ?? 0) + processes.size;
    writeFileSync(path.join(folder, `${file}#${count}`), '');
    forget(file);
    deaths.set(file, count);
    for (const mark of marks) rmSync(path.join(folder, mark), { force: true });
  }
  return {
    crashesOf: (file) => deaths.get(path.basename(file)) ?? 0,
    markOf: (file, job) => path.join(folder, `${path.basename(file)}@${lease.id}-${job}`),
    release: (file, mark) => {
      if (mark !== null) rmSync(mark, { force: true });
      forget(path.basename(file));
    },
    close: lease.release,
  };
};
