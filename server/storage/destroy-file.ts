import { randomUUID } from 'node:crypto';
import { readdir, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { type StoreFolders, syncFolder } from './folders.ts';
import { quarantinedCopies } from './quarantine-days.ts';
import { restoreFile } from './restore-file.ts';
import { isMissing } from './storage-error.ts';

/** `gone`: no copy is left; `referenced`: a row has it; `recent`: stored again lately, so that a row may be about to have it. */
export type DestroyedFile = 'gone' | 'referenced' | 'recent';

export interface FileDestruction {
  readonly isReferenced: () => Promise<boolean>;
  /** Returns whether a file that was stored then can no longer belong to an upload in progress. */
  readonly isOld: (changedMs: number) => boolean;
}

const unlinkIfThere = (file: string): Promise<void> =>
  unlink(file).catch((error) => {
    if (!isMissing(error)) throw error;
  });

/** Copies that an interrupted run or sweep has left beside the store. */
const heldCopies = async ({ quarantine }: StoreFolders, sha256: string): Promise<string[]> =>
  (await readdir(quarantine))
    .filter((name) => name.startsWith(`${sha256}.`))
    .map((name) => path.join(quarantine, name));

/**
 * Removes a file for good, with its copies in quarantine. Needs no lock, for the same reason as `quarantineUnlessReferenced`: it is judged
 * while it is out of reach. Can be repeated after a crash.
 */
export const destroyFile = async (
  folders: StoreFolders,
  sha256: string,
  { isReferenced, isOld }: FileDestruction,
): Promise<DestroyedFile> => {
  const held = path.join(folders.quarantine, `${sha256}.${randomUUID()}`);
  const isThere = await rename(folders.pathOf(sha256), held).then(
    () => true,
    (error) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
  try {
    const isKept = isThere && !isOld((await stat(held)).mtimeMs);
    if (isKept || (await isReferenced())) {
      if (isThere) await restoreFile(folders, held, sha256);
      return isKept ? 'recent' : 'referenced';
    }
  } catch (error) {
    if (isThere) await restoreFile(folders, held, sha256);
    throw error;
  }
  const copies = [...(await heldCopies(folders, sha256)), ...(await quarantinedCopies(folders, sha256))];
  for (const file of copies) await unlinkIfThere(file);
  for (const folder of new Set([folders.folderOf(sha256), ...copies.map((file) => path.dirname(file))]))
    await syncFolder(folder);
  return 'gone';
};
