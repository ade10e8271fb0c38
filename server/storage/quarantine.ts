import { randomUUID } from 'node:crypto';
import { readdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import type { StoreFolders } from './folders.ts';
import { moveToDay, restoreFromDay } from './quarantine-days.ts';
import { restoreFile } from './restore-file.ts';
import { isMissing } from './storage-error.ts';

const heldOf = async (folders: StoreFolders): Promise<{ held: string; sha256: string }[]> =>
  (await readdir(folders.quarantine)).flatMap((name) => {
    const [, sha256] = /^([0-9a-f]{64})\./.exec(name) ?? [];
    return sha256 ? [{ held: path.join(folders.quarantine, name), sha256 }] : [];
  });

/** Restores files that an interrupted sweep was examining. */
export const emptyQuarantine = async (folders: StoreFolders): Promise<void> => {
  for (const { held, sha256 } of await heldOf(folders)) await restoreFile(folders, held, sha256);
};

/** Restores a missing file from the sweep folder or from a day of the quarantine. Returns whether it was found. */
export const takeFromQuarantine = async (folders: StoreFolders, sha256: string): Promise<boolean> => {
  const found = (await heldOf(folders)).filter((one) => one.sha256 === sha256);
  for (const { held } of found) await restoreFile(folders, held, sha256);
  // A sweep moves files from its folder to the day, never back, so searching in this order cannot miss a file.
  const isOfDay = await restoreFromDay(folders, sha256);
  return found.length > 0 || isOfDay;
};

/**
 * Quarantines one stored file if it is old and `isReferenced` returns false while it is out of reach; otherwise restores it. Needs no lock: a
 * concurrent write of the same bytes either renews the file before it is moved, which is detected, or creates a new one.
 * @returns its size in bytes; null when it was not quarantined
 */
export const quarantineUnlessReferenced = async (
  folders: StoreFolders,
  sha256: string,
  isOld: (changedMs: number) => boolean,
  isReferenced: () => Promise<boolean>,
): Promise<number | null> => {
  const held = path.join(folders.quarantine, `${sha256}.${randomUUID()}`);
  try {
    await rename(folders.pathOf(sha256), held);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  try {
    const { mtimeMs, size } = await stat(held);
    if (isOld(mtimeMs) && !(await isReferenced())) {
      await moveToDay(folders, held, sha256);
      return size;
    }
  } catch (error) {
    // Another process restored it meanwhile.
    if (isMissing(error)) return null;
    await restoreFile(folders, held, sha256);
    throw error;
  }
  await restoreFile(folders, held, sha256);
  return null;
};
