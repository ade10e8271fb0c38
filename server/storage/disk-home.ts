import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { destroyFile } from './destroy-file.ts';
import { openDiskStore } from './disk-store.ts';
import type { FilesHome } from './files-home.ts';
import { shards, storeFolders, syncFolder } from './folders.ts';
import { openPartDrafts } from './part-drafts.ts';
import { quarantineUnlessReferenced } from './quarantine.ts';
import { quarantinedDays, quarantinedFiles, restoreFromDay, tidyQuarantine } from './quarantine-days.ts';
import { codeOf, isMissing } from './storage-error.ts';
import { type UnnamedFile, unnamedFiles } from './unnamed-files.ts';

const exists = async (file: string): Promise<boolean> => {
  try {
    await access(file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
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

const namesIn = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });

/** Returns the path of a stored file; a sweep may have moved it to the quarantine. Null when it is in neither. */
const findStored = async (root: string, sha256: string): Promise<string | null> => {
  const { pathOf, quarantine } = storeFolders(root);
  const days = (await readdir(quarantine).catch(() => [])).filter((name) => !/^[0-9a-f]{64}$/.test(name));
  const places = [pathOf(sha256), path.join(quarantine, sha256)];
  for (const file of [...places, ...days.map((day) => path.join(quarantine, day, sha256))])
    if (await exists(file)) return file;
  // Moved back while this looked for it.
  return (await exists(pathOf(sha256))) ? pathOf(sha256) : null;
};

const factsOf = async (file: string, sha256: string): Promise<UnnamedFile[]> => {
  try {
    const { mtimeMs, size } = await stat(file);
    return [{ sha256, sizeBytes: size, changedMs: mtimeMs }];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** Returns the files of an archive in a folder. */
export const openDiskHome = (root: string): FilesHome => {
  const folders = storeFolders(root);
  return {
    kind: 'folder',
    name: root,
    localFolder: root,
    openStore: (options) => openDiskStore(root, options),
    derived: () => null,
    openDrafts: (options) => openPartDrafts(root, options),
    exists: () => exists(root),
    create: async () => void (await mkdir(root, { recursive: true })),
    isEmpty: async () => (await namesIn(root)).length === 0,
    holdsFiles: async () => {
      const existing = new Set(await namesIn(root));
      for (const shard of shards)
        if (existing.has(shard) && (await namesIn(path.join(root, shard))).length > 0) return true;
      return false;
    },
    has: (sha256) => exists(folders.pathOf(sha256)),
    readMark: async (name) => {
      try {
        return (await readFile(path.join(root, name), 'utf8')).trim();
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    writeMark: (name, text) => writeText(root, name, text),
    removeMark: (name) => rm(path.join(root, name)),
    problemOf: (error) =>
      /^E[A-Z]+$/.test(codeOf(error)) && error instanceof Error && 'path' in error ? 'unreadable' : null,
    fullSince: () => null,
    unnamedFiles: (search) => unnamedFiles({ ...search, root }),
    quarantine: (sha256, isOld, isReferenced) => quarantineUnlessReferenced(folders, sha256, isOld, isReferenced),
    tidyQuarantine: (cleanup) => tidyQuarantine(folders, cleanup),
    quarantinedDays: () => quarantinedDays(folders),
    quarantinedFiles: async function* () {
      for await (const some of quarantinedFiles(folders))
        yield (await Promise.all(some.map((one) => factsOf(one.path, one.sha256)))).flat();
    },
    bringBack: async (sha256) => {
      await restoreFromDay(folders, sha256);
      const now = new Date();
      await utimes(folders.pathOf(sha256), now, now);
    },
    destroy: (sha256, destruction) => destroyFile(folders, sha256, destruction),
    removeLeftovers: async () => undefined,
    tidyCopies: async () => undefined,
    findStored: async (sha256) => {
      const file = await findStored(root, sha256);
      if (file === null) return null;
      const { size } = await stat(file);
      return { sizeBytes: size, read: () => createReadStream(file, { highWaterMark: 1 << 19 }) };
    },
    close: () => undefined,
  };
};
