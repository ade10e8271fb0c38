import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { StorageError } from './file-store.ts';
import { asStorageError, isMissing } from './storage-error.ts';

/** Name of the file that identifies the archive of a folder. */
export const idName = 'archive-id';

/** Returns the folder's id, null when it has none or does not exist. */
export const readFolderId = async (root: string): Promise<string | null> => {
  try {
    return (await readFile(path.join(root, idName), 'utf8')).trim();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

/** Checks whether a folder is still the one that a store was opened on. */
export interface FolderPresence {
  /** @throws StorageError 'away' when the folder is gone, unreadable or replaced */
  ensureHere(): Promise<void>;
  /** Returns 'away' when the folder is gone, else the given file system error. */
  errorOf(error: unknown): Promise<unknown>;
}

/** Remembers the folder's current id; without one nothing is compared. `isAway`: further knowledge about the folder. */
export const openFolderPresence = async (root: string, isAway: () => boolean): Promise<FolderPresence> => {
  const opened = await readFolderId(root);
  const away = (cause?: unknown) =>
    new StorageError('away', `The files folder ${root} is not there, or is another one`, cause);
  const ensureHere = async (): Promise<void> => {
    if (isAway()) throw away();
    const now = await readFolderId(root).catch((error: unknown) => {
      throw away(error);
    });
    if (now !== opened) throw away();
  };
  return {
    ensureHere,
    errorOf: async (error) => {
      if (error instanceof StorageError) return error;
      return ensureHere().then(
        () => asStorageError(error, root),
        (reported: unknown) => reported,
      );
    },
  };
};
