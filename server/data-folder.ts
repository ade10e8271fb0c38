import { accessSync, constants, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { StartRefused } from './start-refused.ts';

export interface DataFolder {
  readonly folder: string;
  release(): void;
}

/** Process numbers are given out again; together with the moment of its start (Linux) one means one process. */
const identityOf = (pid: number): string => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const started = text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    return `${pid} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${started}`;
  } catch {
    return `${pid}`;
  }
};

const isRunning = (written: string): boolean => {
  const pid = Number(written.split(' ')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return identityOf(pid) === written.trim();
};

const isExisting = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** A lock that is complete from the moment it exists: written beside its place, then linked. */
const lock = (folder: string): string => {
  const file = path.join(folder, 'server.lock');
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, identityOf(process.pid));
  try {
    for (;;) {
      try {
        linkSync(draft, file);
        return file;
      } catch (error) {
        if (!isExisting(error)) throw error;
        const written = readFileSync(file, 'utf8');
        if (isRunning(written))
          throw new StartRefused(
            `The data folder ${folder} is in use by another running server (process ${written.split(' ')[0]})`,
          );
        rmSync(file, { force: true });
      }
    }
  } finally {
    rmSync(draft, { force: true });
  }
};

/**
 * Makes the data folder where needed. `alone` takes it for this process: several nodes may share one only when their database is elsewhere.
 * Throws StartRefused when it cannot be written or when another running server has it.
 */
export const openDataFolder = (folder: string, { alone }: { readonly alone: boolean }): DataFolder => {
  try {
    // Searchable, so that the account which PostgreSQL runs under finds its own folder in it; what lies in it is private by umask.
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    if (!statSync(folder).isDirectory()) throw new StartRefused(`The data folder ${folder} is a file`);
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (!alone) return { folder, release: () => undefined };
    const file = lock(folder);
    return { folder, release: () => rmSync(file, { force: true }) };
  } catch (error) {
    if (error instanceof StartRefused) throw error;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new StartRefused(`The data folder ${folder} cannot be written (${reason})`);
  }
};
