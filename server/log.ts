import { existsSync, renameSync, statSync } from 'node:fs';
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

const largestLog = 64 * 1024 * 1024;

/** Rotates a log file that grew too large; the previous rotated file is replaced. */
const rotate = (file: string): void => {
  if (existsSync(file) && statSync(file).size > largestLog) renameSync(file, `${file}.1`);
};

/** Opens a log that writes one JSON line per event to the file, or nowhere (tests). */
export const openLog = (file: string | null, level: string): Logger => {
  if (file !== null) rotate(file);
  return file === null
    ? pino({ level: 'silent' })
    : pino({ level, serializers, base: null }, pino.destination({ dest: file, sync: true }));
};
