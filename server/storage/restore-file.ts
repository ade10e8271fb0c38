import { link, rename, unlink } from 'node:fs/promises';
import { type StoreFolders, syncFolder } from './folders.ts';
import { codeOf, isMissing } from './storage-error.ts';

const unlinkIfThere = async (file: string): Promise<void> => {
  await unlink(file).catch((error) => {
    if (!isMissing(error)) throw error;
  });
};

/**
 * Moves a file from quarantine back to its place, unless an equal one is there. Safe to run concurrently.
 * @returns false when it is no longer in quarantine
 */
export const restoreFile = async (folders: StoreFolders, held: string, sha256: string): Promise<boolean> => {
  try {
    await link(held, folders.pathOf(sha256));
    // The link must be durable before the file leaves quarantine.
    await syncFolder(folders.folderOf(sha256));
  } catch (error) {
    if (isMissing(error)) return false;
    if (codeOf(error) !== 'EEXIST') {
      // File systems without hard links. A file that appears in its place meanwhile has the same bytes.
      await rename(held, folders.pathOf(sha256)).catch((cause) => {
        if (!isMissing(cause)) throw cause;
      });
      return true;
    }
  }
  await unlinkIfThere(held);
  return true;
};
