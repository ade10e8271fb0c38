import { existsSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** What a running PostgreSQL writes about itself into `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  readonly socketFolder: string;
}

export const superuser = 'postgres';

export const readPostmaster = (folder: string): Postmaster | null => {
  const file = path.join(folder, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const [pid, , , , socketFolder] = readFileSync(file, 'utf8').split('\n');
  return pid && socketFolder ? { pid: Number(pid), socketFolder } : null;
};

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** False when the number now belongs to some other program. Where there is no /proc, the socket alone decides. */
export const runsIn = (pid: number, folder: string): boolean => {
  if (!existsSync('/proc/self')) return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    return false;
  }
};

/** Does a PostgreSQL of this very folder answer on the socket? */
export const answers = async (socketFolder: string, folder: string): Promise<boolean> => {
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

/** Waits until the condition holds; false when `whileTrue` ended or the time ran out first. */
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
