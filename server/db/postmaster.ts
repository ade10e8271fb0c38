import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isAlive, isOwn } from '../process-identity.ts';

/** Contents of `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  readonly socketFolder: string;
}

export const superuser = 'postgres';

const pidFile = (folder: string): string => path.join(folder, 'postmaster.pid');

const linesOf = (file: string): readonly string[] => {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
};

/** Returns the process that uses the folder, or used it and was killed; null when there is none. Its socket may not exist yet. */
export const readPid = (folder: string): number | null => Number(linesOf(pidFile(folder))[0]) || null;

export const readPostmaster = (folder: string): Postmaster | null => {
  const [pid, , , , socketFolder] = linesOf(pidFile(folder));
  return pid && socketFolder ? { pid: Number(pid), socketFolder } : null;
};

/** Returns false when the process id now belongs to another program. Without /proc the socket alone decides. */
export const runsIn = (pid: number, folder: string): boolean => {
  if (!existsSync('/proc/self')) return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch (error) {
    // `PrivateUsers=` and `ProtectProc=` of systemd keep it from being read: then the user of the process decides.
    const isConcealed =
      (error instanceof Error && 'code' in error && error.code === 'EACCES') || !existsSync(`/proc/${pid}`);
    return isConcealed && isOwn(pid);
  }
};

/** Returns the PostgreSQL processes that work in the folder with their parents. Empty without /proc. */
const processesIn = (folder: string): readonly { readonly pid: number; readonly parent: number }[] => {
  const names = existsSync('/proc/self') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return names.flatMap((name) => {
    try {
      // A shell may have the folder as its working directory too.
      const isPostgres = path.basename(readlinkSync(`/proc/${name}/exe`)).startsWith('postgres');
      if (!isPostgres || !runsIn(Number(name), folder)) return [];
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      return { pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) };
    } catch {
      return [];
    }
  });
};

/** Returns backends that outlived their postmaster. None while a postmaster has children. */
const orphansIn = (folder: string): readonly number[] => {
  const found = processesIn(folder);
  const hasPostmaster = found.some(({ parent }) => found.some(({ pid }) => pid === parent));
  return hasPostmaster ? [] : found.map(({ pid }) => pid);
};

/** Backends notice that their postmaster is gone, unless they are busy with a computation. */
const orphansLeaveMs = 1_000;

/**
 * Removes what a killed postmaster left: backends, whose shared memory blocks a new postmaster, then lock files, whose process id may belong
 * to another program by now. Only for a folder whose postmaster is dead.
 */
export const cleanUpDeadPostmaster = async (folder: string): Promise<void> => {
  const isClear = () => orphansIn(folder).length === 0;
  if (!(await waitFor(isClear, { milliseconds: orphansLeaveMs }))) {
    for (const pid of orphansIn(folder)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await waitFor(isClear, { milliseconds: 10_000 });
  }
  const socketFolder = readPostmaster(folder)?.socketFolder;
  if (socketFolder) rmSync(path.join(socketFolder, '.s.PGSQL.5432.lock'), { force: true });
  rmSync(pidFile(folder), { force: true });
};

/** Returns whether a PostgreSQL of this folder responds on the socket. */
export const isResponding = async (socketFolder: string, folder: string): Promise<boolean> => {
  const client = new pg.Client({
    host: socketFolder,
    user: superuser,
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    return realpathSync(rows[0]?.data_directory ?? '') === realpathSync(folder);
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Waits until the condition holds; false when `whileTrue` ended or the time expired first. */
export const waitFor = async (
  condition: () => boolean | Promise<boolean>,
  limit: { readonly milliseconds: number; readonly whileTrue?: () => boolean },
): Promise<boolean> => {
  const end = Date.now() + limit.milliseconds;
  while (Date.now() < end) {
    if (await condition()) return true;
    if (limit.whileTrue && !limit.whileTrue()) return false;
    await pause(20);
  }
  return false;
};
