import pg from 'pg';

/**
 * Thrown when the database cannot be used now: it restarts, closed this connection, or has no free connection. Statements sent before may
 * still have been committed.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';

  constructor(cause: unknown) {
    super('the database is not available', { cause });
  }
}

/** SQLSTATE: connection exceptions (class 08), too many connections, and codes with which a server ends or rejects sessions. */
const isUnavailableState = (code: string): boolean =>
  /^08\w{3}$/.test(code) || ['53300', '57P01', '57P02', '57P03', '57P05'].includes(code);

/** The driver has no codes for these. */
const driverMessages = [
  /^Connection terminated/,
  /^Client (has encountered a connection error|was closed) and is not queryable$/,
  /^timeout exceeded when trying to connect$/,
  /^timeout expired$/,
  /^Postgres connection has been discarded$/,
];

const isOfConnection = (error: Error): boolean => {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error instanceof pg.DatabaseError) return isUnavailableState(code);
  // Socket errors carry system codes: ECONNREFUSED, ENOENT, EPIPE ...
  return /^E[A-Z_]{3,}$/.test(code) || driverMessages.some((message) => message.test(error.message));
};

/** Converts a driver error to DatabaseUnavailable when the connection or the server is lost; returns any other error unchanged. */
export const asUnavailable = (error: unknown): unknown =>
  error instanceof Error && !(error instanceof DatabaseUnavailable) && isOfConnection(error)
    ? new DatabaseUnavailable(error)
    : error;

/** Returns whether an error, or one of its causes, means that the database is unavailable. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || (error instanceof Error && isDatabaseUnavailable(error.cause));
