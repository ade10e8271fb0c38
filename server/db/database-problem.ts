import { isDatabaseUnavailable } from './database-unavailable.ts';

/** PostgreSQL `disk_full`. */
const diskFull = '53100';

/** Returns the problem code of an error that ends by itself once the database works again; null for other errors. */
export const databaseProblemOf = (error: unknown): 'database-unavailable' | 'storage-full' | null => {
  if (isDatabaseUnavailable(error)) return 'database-unavailable';
  return error instanceof Error && 'code' in error && error.code === diskFull ? 'storage-full' : null;
};
