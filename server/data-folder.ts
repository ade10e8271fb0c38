import { accessSync, constants, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { identityOf, isRunning } from './process-identity.ts';
import { StartupError } from './startup-error.ts';

export interface DataFolder {
  readonly folder: string;
  release(): void;
}

/** A server waits until a command has released the folder. */
export type FolderUser = 'server' | 'command';

/** Thrown when another process has locked the data folder. */
export class DataFolderInUse extends StartupError {
  readonly by: FolderUser;
  readonly pid: string;

  constructor(folder: string, lockText: string) {
    const [identity = '', by] = lockText.split('\n');
    const [pid = ''] = identity.split(' ');
    super(`The data folder ${folder} is in use by process ${pid}: another server, or a command of the archive`);
    this.pid = pid;
    this.by = by === 'command' ? 'command' : 'server';
  }
}

const isExisting = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** Creates the lock atomically: written to a temporary file, then linked. */
const lock = (folder: string, by: FolderUser): string => {
  const file = path.join(folder, 'server.lock');
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${identityOf(process.pid)}\n${by}\n`);
  try {
    for (;;) {
      try {
        linkSync(draft, file);
        return file;
      } catch (error) {
        if (!isExisting(error)) throw error;
        const written = readFileSync(file, 'utf8');
        if (isRunning(written.split('\n')[0] ?? '')) throw new DataFolderInUse(folder, written);
        rmSync(file, { force: true });
      }
    }
  } finally {
    rmSync(draft, { force: true });
  }
};

export interface FolderUse {
  /** Locks the folder. False only with an external database, where several servers may share the folder. */
  readonly exclusive: boolean;
  readonly by: FolderUser;
}

/**
 * Creates the data folder if needed, and locks it.
 * @throws DataFolderInUse when another process has locked it, StartupError when it is not writable
 */
export const openDataFolder = (folder: string, { exclusive, by }: FolderUse): DataFolder => {
  try {
    // The account that PostgreSQL runs under needs execute permission to reach its subfolder; the umask keeps the contents private.
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    if (!statSync(folder).isDirectory()) throw new StartupError(`The data folder ${folder} is a file`);
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (!exclusive) return { folder, release: () => undefined };
    const file = lock(folder, by);
    return { folder, release: () => rmSync(file, { force: true }) };
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new StartupError(`The data folder ${folder} cannot be written (${reason})`);
  }
};

const pauseMs = 250;

/** Opens the data folder for a server, which waits while a command has locked it. @throws the reason of `signal` */
export const openDataFolderOfServer = async (
  folder: string,
  { exclusive, signal, onWait }: { exclusive: boolean; signal: AbortSignal; onWait: (pid: string) => void },
): Promise<DataFolder> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return openDataFolder(folder, { exclusive, by: 'server' });
    } catch (error) {
      if (!(error instanceof DataFolderInUse) || error.by === 'server') throw error;
      if (attempt === 1) onWait(error.pid);
      await pause(pauseMs, undefined, { signal });
    }
  }
};
