import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartupError } from '../startup-error.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { postgresEnvironment } from './postgres-cluster.ts';
import type { PostgresUser } from './postgres-user.ts';
import { isResponding, waitFor } from './postmaster.ts';

/** Maximum socket path length: 104 bytes (macOS) or 108 (Linux), file name included. */
const maxSocketFolderLength = 85;
/** Recovery after a crash may take long. */
export const recoveryLimit = 600_000;

/** Returns the socket folder: that of the cluster, or a short one where its path is too long. */
export const socketFolderFor = (folder: string, user: PostgresUser): string => {
  if (Buffer.byteLength(folder) <= maxSocketFolderLength) return folder;
  const base = Buffer.byteLength(os.tmpdir()) < 60 ? os.tmpdir() : '/tmp';
  const shortFolder = mkdtempSync(path.join(base, 'dentarium-'));
  if (user.owner) chownSync(shortFolder, user.owner.uid, user.owner.gid);
  return shortFolder;
};

/** Statements and error details stay out of the log, because they contain patient data. */
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

/** PostgreSQL ended while starting. `isPassing`: another attempt may succeed. */
export class PostgresDidNotStart extends StartupError {
  readonly isPassing: boolean;

  constructor(reason: string, isPassing: boolean) {
    super(`PostgreSQL did not start: ${reason}`);
    this.isPassing = isPassing;
  }
}

/** Remains of an earlier postmaster, or a start that was itself killed. */
const passing = /still in use|already exists|another postmaster|startup process/i;

/** Message to early connections, not the reason of the exit. */
const toClients = /the database system is (starting up|shutting down|not yet accepting)/;

const reasonIn = (logFile: string, from: number, child: ChildProcess): PostgresDidNotStart => {
  const lines = readFileSync(logFile).subarray(from).toString().split('\n');
  const telling = /FATAL|PANIC|could not|error while loading|startup process/;
  const line = lines.findLast((one) => telling.test(one) && !toClients.test(one));
  const reason = line?.replace(/^.*?(FATAL|PANIC|LOG): +/, '') ?? `see ${logFile}`;
  return new PostgresDidNotStart(reason, child.signalCode !== null || passing.test(reason));
};

export interface PostgresStart {
  readonly folder: string;
  readonly socketFolder: string;
  readonly settings: readonly string[];
  /** Continue the log file instead of truncating it. */
  readonly appendLog: boolean;
}

/** Starts a postmaster and waits until it responds. @throws PostgresDidNotStart */
export const startPostgres = async (
  binaries: PostgresBinaries,
  user: PostgresUser,
  { folder, socketFolder, settings, appendLog }: PostgresStart,
): Promise<ChildProcess> => {
  if (socketFolder !== folder) {
    mkdirSync(socketFolder, { recursive: true, mode: 0o700 });
    if (user.owner) chownSync(socketFolder, user.owner.uid, user.owner.gid);
  }
  const logFile = `${folder}.log`;
  const log = openSync(logFile, appendLog ? 'a' : 'w', 0o600);
  const from = statSync(logFile).size;
  const { file, args, ...ids } = user.command(binaries.postgres, serverArgs(folder, socketFolder, settings));
  // Its own process group: Ctrl-C in the terminal reaches only this process, which shuts PostgreSQL down in order.
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
  for (const event of ['exit', 'error'])
    child.once(event, () => {
      ended = true;
    });
  const ready = await waitFor(() => isResponding(socketFolder, folder), {
    milliseconds: recoveryLimit,
    whileTrue: () => !ended,
  });
  if (!ready || ended) throw reasonIn(logFile, from, child);
  return child;
};
