/** Returns whether PostgreSQL had no disk space (SQLSTATE 53100). */
export const isDatabaseDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '53100';
