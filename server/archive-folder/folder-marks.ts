import type { FilesRoot } from '../storage/files-home.ts';
import { idName } from '../storage/folder-id.ts';
import { homeOf } from '../storage/home-of.ts';

/** Counter, compared with the database to detect an older copy of either. */
export const generationName = 'archive-generation';

export const readFolderId = (root: FilesRoot): Promise<string | null> => homeOf(root).readMark(idName);
export const writeFolderId = (root: FilesRoot, id: string): Promise<void> => homeOf(root).writeMark(idName, id);

/** Returns 0 when no counter has been written yet. */
export const readGeneration = async (root: FilesRoot): Promise<number> => {
  const written = Number((await homeOf(root).readMark(generationName)) ?? 0);
  return Number.isSafeInteger(written) && written > 0 ? written : 0;
};
export const writeGeneration = (root: FilesRoot, generation: number): Promise<void> =>
  homeOf(root).writeMark(generationName, String(generation));
