import { accessSync, constants, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identityOf, isRunning } from './process-identity.ts';
import { StartupError } from './startup-error.ts';

export interface DataFolder {
  readonly folder: string;
  release(): void;
}

const isExisting = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** Creates the lock atomically: written to a temporary file, then linked. */
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
        if (isRunning(written.trim()))
          throw new StartupError(
            `The data folder ${folder} is in use by process ${written.split(' ')[0]}: another server, or a command of the archive`,
          );
        rmSync(file, { force: true });
      }
    }
  } finally {
    rmSync(draft, { force: true });
  }
};

/**
 * Creates the data folder if needed. `alone` locks it for this process: several nodes may share one only with an external database.
 * @throws StartupError when it is not writable or another process has locked it
 */
export const openDataFolder = (folder: string, { alone }: { readonly alone: boolean }): DataFolder => {
  try {
    // The account that PostgreSQL runs under needs execute permission to reach its subfolder; the umask keeps the contents private.
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    if (!statSync(folder).isDirectory()) throw new StartupError(`The data folder ${folder} is a file`);
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (!alone) return { folder, release: () => undefined };
    const file = lock(folder);
    return { folder, release: () => rmSync(file, { force: true }) };
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new StartupError(`The data folder ${folder} cannot be written (${reason})`);
  }
};
