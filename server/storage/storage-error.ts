import { StorageError } from './file-store.ts';

/** Returns the errno of an error; empty when it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Errnos of a disk or quota without space. */
export const fullDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const unwritable = new Set(['EACCES', 'EPERM', 'EROFS']);

export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

/** Converts a file system error to a StorageError; returns anything else unchanged. */
export const asStorageError = (error: unknown, folder: string): unknown => {
  if (error instanceof StorageError) return error;
  const code = codeOf(error);
  if (fullDisk.has(code)) return new StorageError('full', `No space left for files in ${folder} (${code})`, error);
  if (unwritable.has(code)) return new StorageError('unwritable', `Cannot write files in ${folder} (${code})`, error);
  if (/^E[A-Z]+$/.test(code) && error instanceof Error && 'syscall' in error) {
    return new StorageError('failed', `The file system failed in ${folder} (${code})`, error);
  }
  return error;
};
