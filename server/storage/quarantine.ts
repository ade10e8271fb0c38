import { randomUUID } from 'node:crypto';
import { link, readdir, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { StoreFolders } from './folders.ts';
import { codeOf, isMissing } from './storage-fault.ts';

const unlinkIfThere = async (file: string): Promise<void> => {
  await unlink(file).catch((error) => {
    if (!isMissing(error)) throw error;
  });
};

/** Back to its place, unless a newer one has come there meanwhile. Whoever else does the same does no harm. */
const putBack = async (folders: StoreFolders, held: string, sha256: string): Promise<void> => {
  try {
    await link(held, folders.pathOf(sha256));
  } catch (error) {
    if (isMissing(error)) return;
    if (codeOf(error) !== 'EEXIST') {
      // A file system without links. What comes to its place meanwhile has the same bytes.
      await rename(held, folders.pathOf(sha256)).catch((cause) => {
        if (!isMissing(cause)) throw cause;
      });
      return;
    }
  }
  await unlinkIfThere(held);
};

const heldOf = async (folders: StoreFolders): Promise<{ held: string; sha256: string }[]> =>
  (await readdir(folders.quarantine)).map((name) => ({
    held: path.join(folders.quarantine, name),
    sha256: name.slice(0, name.indexOf('.')),
  }));

/** What a sweep that was cut off had in its hands goes back to its place. */
export const emptyQuarantine = async (folders: StoreFolders): Promise<void> => {
  for (const { held, sha256 } of await heldOf(folders)) await putBack(folders, held, sha256);
};

/** Somebody wants a file that is not in its place: when a sweep has it in its hands, it is taken from there. Returns whether it was. */
export const takeFromQuarantine = async (folders: StoreFolders, sha256: string): Promise<boolean> => {
  const found = (await heldOf(folders)).filter((one) => one.sha256 === sha256);
  for (const { held } of found) await putBack(folders, held, sha256);
  return found.length > 0;
};

/**
 * Removes one stored file, if it is old and `isWanted` says no while nobody can reach it any more; otherwise it goes back. Needs no lock: whoever
 * puts the same bytes at the same moment either made the file new before it was taken, which is seen, or puts another one in its place.
 * @returns whether it was removed
 */
export const removeUnlessWanted = async (
  folders: StoreFolders,
  sha256: string,
  isOld: (changedMs: number) => boolean,
  isWanted: () => Promise<boolean>,
): Promise<boolean> => {
  const held = path.join(folders.quarantine, `${sha256}.${randomUUID()}`);
  try {
    await rename(folders.pathOf(sha256), held);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  try {
    if (isOld((await stat(held)).mtimeMs) && !(await isWanted())) {
      await unlink(held);
      return true;
    }
  } catch (error) {
    // Taken from our hands.
    if (isMissing(error)) return false;
    await putBack(folders, held, sha256);
    throw error;
  }
  await putBack(folders, held, sha256);
  return false;
};
