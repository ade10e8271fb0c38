import { closeSync, existsSync, openSync, renameSync, statSync } from 'node:fs';
import pg from 'pg';
import pino, { type Logger } from 'pino';

export type { Logger };

/** Database errors quote values, which may be patient data, so only code and location are logged. */
const loggableError = (error: unknown): object => {
  if (error instanceof pg.DatabaseError) {
    const { code, table, column, constraint, routine } = error;
    return {
      type: 'DatabaseError',
      code,
      table,
      column,
      constraint,
      routine,
      stack: error.stack?.split('\n    at ').slice(1),
    };
  }
  if (error instanceof Error) {
    const code = 'code' in error ? error.code : undefined;
    return { type: error.name, message: error.message, code, stack: error.stack };
  }
  return { type: typeof error };
};

/** Requests are logged by method and route pattern: no query, body, ids or addresses. */
const serializers = {
  err: loggableError,
  req: (request: { method: string; routeOptions?: { url?: string } }) => ({
    method: request.method,
    route: request.routeOptions?.url ?? '(unknown)',
  }),
  res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
};

export interface RotationLimits {
  /** A larger file is renamed to `<file>.1`, which replaces the previous one. */
  readonly maxBytes: number;
  readonly checkMs: number;
}

const usualLimits: RotationLimits = { maxBytes: 64 * 1024 * 1024, checkMs: 10_000 };

/** Characters that wait in memory while they cannot be written; later lines are dropped. */
const maxWaiting = 1_000_000;

/** Renames a log file that grew too large. */
const rotate = (file: string, maxBytes: number): void => {
  if (existsSync(file) && statSync(file).size > maxBytes) renameSync(file, `${file}.1`);
};

const inodeOf = (file: string): number | null => (existsSync(file) ? statSync(file).ino : null);

/** Opens a log that writes one JSON line per event to the file, or nowhere (tests). Nodes with one data folder share the file. */
export const openLog = (file: string | null, level: string, limits = usualLimits): Logger => {
  if (file === null) return pino({ level: 'silent' });
  rotate(file, limits.maxBytes);
  const destination = pino.destination({ dest: file, sync: true, maxLength: maxWaiting });
  // A full disk must not end the server: lines wait in memory and are written when there is space again.
  destination.on('error', () => undefined);
  let inode = inodeOf(file);
  const check = () => {
    try {
      rotate(file, limits.maxBytes);
      // Renamed here or by another node.
      if (inodeOf(file) === inode) return;
      // A failed `reopen` would leave a listener that later closes a descriptor twice.
      closeSync(openSync(file, 'a'));
      destination.reopen();
      inode = inodeOf(file);
    } catch {
      // Without disk the open file remains in use; the next check tries again.
    }
  };
  setInterval(check, limits.checkMs).unref();
  return pino({ level, serializers, base: null }, destination);
};

/** Opens a log that writes the same lines to standard output, for a service manager or container that collects them. */
export const openOutputLog = (level: string): Logger => {
  const destination = pino.destination({ dest: 1, sync: true, maxLength: maxWaiting });
  // A collector that has ended must not end the server.
  destination.on('error', () => undefined);
  return pino({ level, serializers, base: null }, destination);
};
