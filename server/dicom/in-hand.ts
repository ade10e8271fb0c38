import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A file that was in the hands of a decoder when the process died as many times is not decoded any more. */
export const mostDeaths = 3;

/** What was in hand when processes died, kept in a folder that outlives them. */
export interface InHand {
  /** How many processes died with this file in hand, since a job on it last ended in any other way. */
  deathsOf(file: string): number;
  /** The mark of a job; null where none are kept. */
  markOf(file: string, job: number): string | null;
  /** The process outlived the job, however it ended. */
  outlived(file: string, mark: string | null): void;
}

/** Run by the worker right before it touches the file: nothing that happens in this thread can come between. */
export const takeInHand = (mark: string | null): void => {
  if (mark !== null) writeFileSync(mark, '');
};

/** Run by the worker when the job has ended. */
export const layDown = (mark: string | null): void => {
  if (mark !== null) rmSync(mark, { force: true });
};

/** Whether another process works with the mark. Our own number was that of an earlier process, as in a container. */
const lives = (pid: number): boolean => {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

const none: InHand = { deathsOf: () => 0, markOf: () => null, outlived: () => undefined };

/**
 * Marks are empty files: `<file>@<process>-<job>` while a job runs, `<file>#<deaths>` behind a death. Files go by their names, which are
 * content hashes in the archive.
 */
export const openInHand = (folder: string | null): InHand => {
  if (folder === null) return none;
  mkdirSync(folder, { recursive: true });
  const deaths = new Map<string, number>();
  const dead = new Map<string, Set<string>>();
  for (const name of readdirSync(folder)) {
    const [, counted, count] = /^(.+)#(\d+)$/.exec(name) ?? [];
    if (counted) deaths.set(counted, Math.max(Number(count), deaths.get(counted) ?? 0));
    const [, held, pid = ''] = /^(.+)@(\d+)-\d+$/.exec(name) ?? [];
    if (held && !lives(Number(pid))) dead.set(held, (dead.get(held) ?? new Set()).add(name));
  }
  const forget = (file: string) => {
    const count = deaths.get(file);
    if (count !== undefined) rmSync(path.join(folder, `${file}#${count}`), { force: true });
    deaths.delete(file);
  };
  for (const [file, marks] of dead) {
    // Two jobs of one process on the same file died of one death.
    const processes = new Set([...marks].map((mark) => mark.slice(file.length).split('-')[0]));
    const count = (deaths.get(file) ?? 0) + processes.size;
    writeFileSync(path.join(folder, `${file}#${count}`), '');
    forget(file);
    deaths.set(file, count);
    for (const mark of marks) rmSync(path.join(folder, mark), { force: true });
  }
  return {
    deathsOf: (file) => deaths.get(path.basename(file)) ?? 0,
    markOf: (file, job) => path.join(folder, `${path.basename(file)}@${process.pid}-${job}`),
    outlived: (file, mark) => {
      if (mark !== null) rmSync(mark, { force: true });
      forget(path.basename(file));
    },
  };
};
