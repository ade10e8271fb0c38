import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { archiveMark, ensureArchiveMark, someImageHashes } from '../db/stores/archive-mark.ts';
import { shards, storeFolders, syncFolder } from '../storage/folders.ts';
import { isMissing } from '../storage/storage-fault.ts';

const markName = 'archive-id';

const readMark = async (root: string): Promise<string | null> => {
  try {
    return (await readFile(path.join(root, markName), 'utf8')).trim();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

/** Whole or not at all: another node may read it at this moment. */
const writeMark = async (root: string, mark: string): Promise<void> => {
  const draft = path.join(root, `${markName}.${randomUUID()}`);
  const file = await open(draft, 'w');
  try {
    await file.writeFile(`${mark}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path.join(root, markName));
  await syncFolder(root);
};

const holdsFiles = async (root: string): Promise<boolean> => {
  for (const shard of shards) if ((await readdir(path.join(root, shard))).length > 0) return true;
  return false;
};

/** Some images that the database knows are all in the folder. */
const holdsWhatIsNamed = async (db: Kysely<Schema>, root: string): Promise<boolean> => {
  const { folderOf } = storeFolders(root);
  const hashes = await someImageHashes(db);
  for (const sha256 of hashes) if (!(await readdir(folderOf(sha256))).includes(sha256)) return false;
  return hashes.length > 0;
};

/**
 * Whether a database and a folder of files are one archive. Both carry the same mark; where one has none yet, they get it when the one is seen to hold what
 * the other names, or when both are empty. A database that was mixed up or is new must never make the files of another look like leftovers.
 */
export const isSameArchive = async (db: Kysely<Schema>, root: string): Promise<boolean> => {
  // In this order: the folder gets its mark after the database, so whoever sees the one finds the other. Several nodes may begin at once.
  const written = await readMark(root);
  const known = await archiveMark(db);
  if (known !== null && written !== null) return known === written;
  if (written !== null) return false;
  const isNew = (await someImageHashes(db)).length === 0 && !(await holdsFiles(root));
  if (!isNew && !(await holdsWhatIsNamed(db, root))) return false;
  await writeMark(root, await ensureArchiveMark(db, randomUUID()));
  return true;
};
