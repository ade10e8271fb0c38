import path from 'node:path';
import type { DerivedObjects, FilesHome } from '../storage/files-home.ts';
import { type DerivedCache, openDerivedCache, sealed, unsealed } from './derived-cache.ts';

/**
 * Puts the cache of this node in front of derived files that all nodes share. What one node has made, the others read. When the store fails, a
 * file is made again.
 */
export const shareCache = (local: DerivedCache, shared: DerivedObjects): DerivedCache => {
  const uploads = new Map<string, Promise<void>>();
  const fetch = async (name: string): Promise<Buffer | null> => {
    const found = await shared.read(name).catch(() => null);
    const bytes = found && unsealed(found);
    if (bytes) await local.write(name, bytes).catch(() => undefined);
    return bytes;
  };
  return {
    read: async (name) => (await local.read(name)) ?? fetch(name),
    has: async (name) => (await local.has(name)) || shared.has(name).catch(() => false),
    write: async (name, bytes) => {
      await local.write(name, bytes);
      // The user who waits for the picture does not wait for the store.
      const upload = shared
        .write(name, sealed(bytes))
        .catch(() => undefined)
        .finally(() => uploads.delete(name));
      uploads.set(name, upload);
    },
    remove: async (beginning) => {
      await local.remove(beginning);
      await Promise.all([...uploads].flatMap(([name, upload]) => (name.startsWith(beginning) ? [upload] : [])));
      await shared.remove(beginning);
    },
    removeUnnamed: local.removeUnnamed,
  };
};

/** Opens the cache of one kind in the data folder; in front of that of the bucket, where files are in one. */
export const openSharedCache = (
  home: FilesHome,
  dataFolder: string,
  kind: 'thumbnails' | 'renditions',
  limitBytes?: number,
): DerivedCache => {
  const local = openDerivedCache(path.join(dataFolder, kind), limitBytes);
  const shared = home.derived(kind);
  return shared ? shareCache(local, shared) : local;
};
