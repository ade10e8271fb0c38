import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { idName } from '../storage/folder-id.ts';
import { shards, syncFolder } from '../storage/folders.ts';
import { isMissing } from '../storage/storage-error.ts';

/** Counter file, compared with the database to detect an older copy of either. */
const generationName = 'archive-generation';

const readText = async (file: string): Promise<string | null> => {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

/** Writes a file atomically, because another node may be reading it. */
const writeText = async (root: string, name: string, text: string): Promise<void> => {
  const draft = path.join(root, `${name}.${randomUUID()}`);
  const file = await open(draft, 'w');
  try {
    await file.writeFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path.join(root, name));
  await syncFolder(root);
};

export const writeFolderId = (root: string, id: string): Promise<void> => writeText(root, idName, id);

/** Returns 0 when no counter has been written yet. */
export const readGeneration = async (root: string): Promise<number> => {
  const written = Number((await readText(path.join(root, generationName))) ?? 0);
  return Number.isSafeInteger(written) && written > 0 ? written : 0;
};
export const writeGeneration = (root: string, generation: number): Promise<void> =>
  writeText(root, generationName, String(generation));

const namesIn = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });

/** Returns whether the folder contains stored files. */
export const holdsFiles = async (root: string): Promise<boolean> => {
  const existing = new Set(await namesIn(root));
  for (const shard of shards)
    if (existing.has(shard) && (await namesIn(path.join(root, shard))).length > 0) return true;
  return false;
};
