import { randomUUID } from 'node:crypto';
import { readdir, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isAlive } from '../process-identity.ts';

const staleAfterMs = 24 * 60 * 60 * 1000;
/** Files that this process is writing now. */
const inUse = new Set<string>();

const host = hostname().replaceAll('.', '-') || 'host';

export const newTemporaryPath = (folder: string): string => {
  const file = path.join(folder, `${host}.${process.pid}.${randomUUID()}`);
  inUse.add(file);
  return file;
};

export const forgetTemporaryPath = (file: string): void => {
  inUse.delete(file);
};

/** Writers on this machine are identified by process id; those on other nodes (network folder) only by the age of the file. */
const isOrphan = async (file: string): Promise<boolean> => {
  if (inUse.has(file)) return false;
  const [writerHost, pid] = path.basename(file).split('.');
  if (writerHost === host) return Number(pid) === process.pid || !isAlive(Number(pid));
  return Date.now() - (await stat(file)).mtimeMs > staleAfterMs;
};

/** Removes temporary files of dead writers. Returns their number. */
export const removeOrphans = async (folder: string): Promise<number> => {
  let removed = 0;
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    if (!(await isOrphan(file))) continue;
    await unlink(file);
    removed += 1;
  }
  return removed;
};
