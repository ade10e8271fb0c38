import { existsSync, renameSync, statSync } from 'node:fs';
import pg from 'pg';
import pino, { type Logger } from 'pino';

export type { Logger };

/** A database error quotes the values it stumbled over, and those are patients' data: only its code and place are kept. */
const fault = (error: unknown): object => {
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

/** Requests are logged by method and by the route's pattern: no query, no body, no id of a patient, no address line as it came. */
const serializers = {
  err: fault,
  req: (request: { method: string; routeOptions?: { url?: string } }) => ({
    method: request.method,
    route: request.routeOptions?.url ?? '(unknown)',
  }),
  res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
};

const largestLog = 64 * 1024 * 1024;

/** A log that grew too large steps aside; the one that stood there before goes. */
const turnOver = (file: string): void => {
  if (existsSync(file) && statSync(file).size > largestLog) renameSync(file, `${file}.1`);
};

/** One JSON line per event into the file, or nowhere (tests). */
export const openLog = (file: string | null, level: string): Logger => {
  if (file !== null) turnOver(file);
  return file === null
    ? pino({ level: 'silent' })
    : pino({ level, serializers, base: null }, pino.destination({ dest: file, sync: true }));
};
