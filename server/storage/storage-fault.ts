import { StorageFault } from './file-store.ts';

/** The errno of an error; empty when it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const unwritable = new Set(['EACCES', 'EPERM', 'EROFS']);

export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

/** An error of the file system in the words of the store; anything else comes back as it is. */
export const asStorageFault = (error: unknown, folder: string): unknown => {
  if (error instanceof StorageFault) return error;
  const code = codeOf(error);
  if (full.has(code)) return new StorageFault('full', `No space left for files in ${folder} (${code})`, error);
  if (unwritable.has(code)) return new StorageFault('unwritable', `Cannot write files in ${folder} (${code})`, error);
  if (/^E[A-Z]+$/.test(code) && error instanceof Error && 'syscall' in error) {
    return new StorageFault('failed', `The file system failed in ${folder} (${code})`, error);
  }
  return error;
};
