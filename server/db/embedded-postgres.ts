import { spawn } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartRefused } from '../start-refused.ts';
import { findPostgres, type PostgresBinaries } from './postgres-binaries.ts';
import { ensureCluster, postgresEnvironment } from './postgres-cluster.ts';
import { type PostgresUser, postgresUser } from './postgres-user.ts';
import { answers, isAlive, type Postmaster, readPostmaster, runsIn, superuser, waitFor } from './postmaster.ts';

export interface EmbeddedPostgres {
  /** What `pg` connects to: the folder of the socket. */
  readonly host: string;
  readonly user: string;
  readonly pid: number;
  /** True when it had outlived the program that started it. */
  readonly adopted: boolean;
  /** Fast shutdown: running transactions are rolled back, everything is written. */
  close(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The cluster's own folder; made when it does not exist. Its parent must exist. */
  readonly folder: string;
  readonly progress?: (line: string) => void;
  /** Further settings, `name=value`. */
  readonly settings?: readonly string[];
  /** It ended although nobody closed it (killed for want of memory, say). Not heard of one that was adopted. */
  readonly onLost?: () => void;
}

/** The kernel allows a socket's path 104 bytes (macOS) or 108 (Linux), file name included. */
const longestSocketFolder = 85;
const recoveryLimit = 600_000;
const shutdownLimit = 60_000;

const socketFolderFor = (folder: string, user: PostgresUser): string => {
  if (Buffer.byteLength(folder) <= longestSocketFolder) return folder;
  const base = Buffer.byteLength(os.tmpdir()) < 60 ? os.tmpdir() : '/tmp';
  const made = mkdtempSync(path.join(base, 'dentarium-'));
  if (user.owner) chownSync(made, user.owner.uid, user.owner.gid);
  return made;
};

/** Statements and the details of errors stay out of the log: they would carry patients' data. */
const serverArgs = (folder: string, socketFolder: string, settings: readonly string[]): string[] => [
  '-D',
  folder,
  ...[
    'listen_addresses=',
    `unix_socket_directories=${socketFolder}`,
    'unix_socket_permissions=0700',
    'log_min_messages=log',
    'log_min_error_statement=panic',
    'log_error_verbosity=terse',
    'timezone=UTC',
    'jit=off',
    ...settings,
  ].flatMap((setting) => ['-c', setting]),
];

const stopper = (postmaster: Postmaster, folder: string) => async (): Promise<void> => {
  if (isAlive(postmaster.pid) && runsIn(postmaster.pid, folder)) process.kill(postmaster.pid, 'SIGINT');
  // The file goes last; an adopted process may stay listed until the system has buried it.
  const isGone = () => !isAlive(postmaster.pid) || readPostmaster(folder)?.pid !== postmaster.pid;
  const gone = await waitFor(isGone, { milliseconds: shutdownLimit });
  if (!gone) throw new Error(`PostgreSQL (process ${postmaster.pid}) does not stop`);
  if (postmaster.socketFolder !== folder) rmSync(postmaster.socketFolder, { recursive: true, force: true });
};

/** A postmaster outlives a killed server. One that answers is taken over; one that is going down is waited for. */
const adopt = async (folder: string): Promise<EmbeddedPostgres | null> => {
  const found = readPostmaster(folder);
  if (!found) return null;
  const alive = () => isAlive(found.pid) && runsIn(found.pid, folder);
  const answered = await waitFor(() => answers(found.socketFolder, folder), {
    milliseconds: recoveryLimit,
    whileTrue: alive,
  });
  if (!answered) {
    // Left by a power cut; its number may belong to another program now, which PostgreSQL would take for itself.
    if (!alive()) rmSync(path.join(folder, 'postmaster.pid'), { force: true });
    return null;
  }
  return { host: found.socketFolder, user: superuser, pid: found.pid, adopted: true, close: stopper(found, folder) };
};

const lastFatal = (logFile: string): string =>
  readFileSync(logFile, 'utf8')
    .split('\n')
    .findLast((line) => /FATAL|PANIC|could not|error while loading/.test(line))
    ?.replace(/^.*?(FATAL|PANIC): +/, '') ?? `see ${logFile}`;

const start = async (
  binaries: PostgresBinaries,
  user: PostgresUser,
  { folder, settings = [], onLost }: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> => {
  const socketFolder = socketFolderFor(folder, user);
  const logFile = `${folder}.log`;
  const log = openSync(logFile, 'w', 0o600);
  const { file, args, ...ids } = user.command(binaries.postgres, serverArgs(folder, socketFolder, settings));
  // Its own process group: Ctrl-C in the terminal reaches us alone, and we close it in order.
  const child = spawn(file, args, {
    ...ids,
    env: postgresEnvironment,
    stdio: ['ignore', log, log],
    detached: true,
    cwd: '/',
  });
  closeSync(log);
  child.unref();
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  child.once('error', () => {
    ended = true;
  });
  const ready = await waitFor(() => answers(socketFolder, folder), {
    milliseconds: recoveryLimit,
    whileTrue: () => !ended,
  });
  if (!ready || child.pid === undefined) throw new StartRefused(`PostgreSQL did not start: ${lastFatal(logFile)}`);
  const stop = stopper({ pid: child.pid, socketFolder }, folder);
  let closing = false;
  child.once('exit', () => {
    if (!closing) onLost?.();
  });
  const close = () => {
    closing = true;
    return stop();
  };
  return { host: socketFolder, user: superuser, pid: child.pid, adopted: false, close };
};

/**
 * PostgreSQL as a process of its own on a socket that only its owner (and root) can open, with no network port.
 * Makes the cluster at the first start, adopts a postmaster that a killed server left behind. Throws StartRefused with one clear line.
 */
export const openEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const folder = path.resolve(options.folder);
  const adopted = await adopt(folder);
  if (adopted) return adopted;
  const binaries = findPostgres();
  const user = postgresUser(binaries, folder);
  ensureCluster(binaries, user, folder);
  options.progress?.('Starting the database');
  return start(binaries, user, { ...options, folder });
};
