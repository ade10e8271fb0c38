import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';

/** Where a disk store keeps what: `<first two hex digits>/<sha256>`, and beside these what is on its way in or out. */
export interface StoreFolders {
  readonly root: string;
  /** What is being written. */
  readonly temporary: string;
  /** What a sweep has in its hands. */
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

/** What was renamed into or out of the folder survives a power cut. */
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
  // Without this a shard made just now could vanish in a power cut, and with it every file that was put there.
  await syncFolder(root);
  await syncFolder(path.dirname(root));
};
