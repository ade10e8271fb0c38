import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive } from '../process-identity.ts';
import { StartupError } from '../startup-error.ts';
import { findPostgres } from './postgres-binaries.ts';
import { ensureCluster } from './postgres-cluster.ts';
import { postgresUser } from './postgres-user.ts';
import {
  cleanUpDeadPostmaster,
  isResponding,
  type Postmaster,
  readPid,
  readPostmaster,
  runsIn,
  superuser,
  waitFor,
} from './postmaster.ts';
import { type Outage, type Running, supervised } from './restarts.ts';
import { PostgresDidNotStart, recoveryLimit, socketFolderFor, startPostgres } from './start-postgres.ts';

export interface EmbeddedPostgres {
  /** Host for `pg`: the folder of the socket. The same after a restart. */
  readonly host: string;
  readonly user: string;
  /** Process id of the current postmaster. */
  readonly pid: number;
  /** True when it outlived the process that started it. */
  readonly adopted: boolean;
  /** Fast shutdown: rolls back running transactions and writes everything. */
  close(): Promise<void>;
}

export interface EmbeddedPostgresOptions extends Outage {
  /** The cluster's own folder; created when missing. Its parent must exist. */
  readonly folder: string;
  readonly progress?: (line: string) => void;
  /** Further settings, `name=value`. */
  readonly settings?: readonly string[];
}

const shutdownLimit = 60_000;
/** A start that finds the remains of a killed postmaster is retried for this time. */
const remainsLimit = 30_000;
const adoptedPollMs = 200;

const isRunning = (pid: number, folder: string): boolean => isAlive(pid) && runsIn(pid, folder);

const stop = async (postmaster: Postmaster, folder: string): Promise<void> => {
  if (isRunning(postmaster.pid, folder)) process.kill(postmaster.pid, 'SIGINT');
  // The file is removed last; an adopted process may stay listed until the system reaps it.
  const isGone = () => !isAlive(postmaster.pid) || readPostmaster(folder)?.pid !== postmaster.pid;
  const gone = await waitFor(isGone, { milliseconds: shutdownLimit });
  if (!gone) throw new Error(`PostgreSQL (process ${postmaster.pid}) does not stop`);
  if (postmaster.socketFolder !== folder) rmSync(postmaster.socketFolder, { recursive: true, force: true });
};

/** A postmaster outlives a killed server. A responding one is adopted; one that starts or stops is waited for. */
const adopt = async (folder: string): Promise<Running | null> => {
  const pid = readPid(folder);
  if (pid === null) return null;
  const doesAnswer = async () => {
    const found = readPostmaster(folder);
    return found?.pid === pid && (await isResponding(found.socketFolder, folder));
  };
  const alive = () => isRunning(pid, folder);
  const answered = await waitFor(doesAnswer, { milliseconds: recoveryLimit, whileTrue: alive });
  const found = readPostmaster(folder);
  if (!answered || !found) {
    if (alive()) throw new StartupError(`PostgreSQL (process ${pid}) of ${folder} does not answer`);
    return null;
  }
  const onExit = (ended: () => void) => {
    const timer = setInterval(() => {
      if (alive()) return;
      clearInterval(timer);
      ended();
    }, adoptedPollMs).unref();
  };
  return { postmaster: found, adopted: true, onExit };
};

/**
 * Runs PostgreSQL as a separate process on a socket that only its owner (and root) can open, without a network port. Creates the cluster at
 * the first start, adopts a postmaster left by a killed server, and restarts it when it exits.
 * @throws StartupError with one clear line
 */
export const openEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const folder = path.resolve(options.folder);
  const { settings = [], progress } = options;
  let socketFolder: string | null = null;

  const startOnce = async (appendLog: boolean): Promise<Running> => {
    const binaries = findPostgres();
    const user = postgresUser(binaries, folder);
    await cleanUpDeadPostmaster(folder);
    ensureCluster(binaries, user, folder);
    socketFolder ??= socketFolderFor(folder, user);
    const child = await startPostgres(binaries, user, { folder, socketFolder, settings, appendLog });
    const postmaster = { pid: child.pid ?? 0, socketFolder };
    const onExit = (ended: () => void) => {
      if (child.exitCode !== null || child.signalCode !== null) setImmediate(ended);
      else child.once('exit', ended);
    };
    return { postmaster, adopted: false, onExit };
  };

  const bringUp = async (appendLog: boolean): Promise<Running> => {
    const end = Date.now() + remainsLimit;
    for (let attempt = 1; ; attempt += 1) {
      const adopted = await adopt(folder);
      if (adopted) return adopted;
      if (attempt === 1 && !appendLog) progress?.('Starting the database');
      try {
        return await startOnce(appendLog || attempt > 1);
      } catch (error) {
        if (!(error instanceof PostgresDidNotStart && error.isPassing) || Date.now() > end) throw error;
        await pause(100);
      }
    }
  };

  const first = await bringUp(false);
  const host = first.postmaster.socketFolder;
  socketFolder = host;
  const supervision = supervised(first, () => bringUp(true), options);
  return {
    host,
    user: superuser,
    adopted: first.adopted,
    get pid() {
      return supervision.running().postmaster.pid;
    },
    close: async () => {
      await supervision.end();
      await stop(supervision.running().postmaster, folder);
    },
  };
};
