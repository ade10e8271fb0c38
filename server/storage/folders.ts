import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';

/** Layout of a disk store: `<first two hex digits>/<sha256>`, and folders for temporary files and quarantine. */
export interface StoreFolders {
  readonly root: string;
  /** Files being written. */
  readonly temporary: string;
  /** Files that a sweep is examining. */
  readonly quarantine: string;
  readonly folderOf: (sha256: string) => string;
  readonly pathOf: (sha256: string) => string;
}

export const shards = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));

export const storeFolders = (root: string): StoreFolders => {
  const folderOf = (sha256: string) => path.join(root, sha256.slice(0, 2));
  return {
    root,
    temporary: path.join(root, 'temporary'),
    quarantine: path.join(root, 'quarantine'),
    folderOf,
    pathOf: (sha256) => path.join(folderOf(sha256), sha256),
  };
};

/** Syncs a folder, so that renames into or out of it survive a power cut. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

export const makeFolders = async ({ root, temporary, quarantine }: StoreFolders): Promise<void> => {
  await mkdir(temporary, { recursive: true });
  await mkdir(quarantine, { recursive: true });
  await Promise.all(shards.map((shard) => mkdir(path.join(root, shard), { recursive: true })));
  // Without this sync a new shard folder could vanish in a power cut with all its files.
  await syncFolder(root);
  await syncFolder(path.dirname(root));
};
