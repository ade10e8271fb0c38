import { mkdir, readdir, rename, stat, unlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { createCacheBound } from '../cache-bound.ts';
import type { StoredFile } from '../file-store.ts';
import { shards, storeFolders } from '../folders.ts';
import { isMissing } from '../storage-error.ts';
import { forgetTemporaryPath, newTemporaryPath, removeOrphans } from '../temporary-files.ts';
import type { UnnamedSearch } from '../unnamed-files.ts';
import { isHash } from './bucket-layout.ts';

/** How long a file stays after its path was returned: a decoder may open it meanwhile. */
const spareMs = 5 * 60_000;
/** The same for a reader that opens it at once. */
const briefMs = 60_000;
/** Uses within this time are one. */
const touchMs = 60_000;

/** Local copies of stored files, below a limit. Several processes may share the folder. It may be emptied at any time. */
export interface BucketCache {
  readonly folder: string;
  /** Returns a new path for a draft, which ends with `keep` or `drop`. */
  newDraft(): string;
  drop(draft: string): Promise<void>;
  /** Removes copies above the limit that have become free to remove. */
  trim(): Promise<void>;
  /** Moves a complete draft to its place. Without `isRead` it may be removed at once when the cache is full. */
  keep(draft: string, file: StoredFile, isRead: boolean): Promise<void>;
  /**
   * Returns the path of a copy and notes its use; null without a copy. The copy stays there for a minute, with `isForLater` for five: several
   * reads at once must not fill the disk.
   */
  find(sha256: string, isForLater?: boolean): Promise<string | null>;
  remove(sha256: string): Promise<void>;
  /** Removes copies of files that no row references: another node may have removed them for good. */
  removeUnnamed(referencedAmong: UnnamedSearch['referencedAmong']): Promise<void>;
}

const unlinkIfThere = (file: string): Promise<void> =>
  unlink(file).catch((error) => {
    if (!isMissing(error)) throw error;
  });

export const openBucketCache = async (folder: string, limitBytes: number): Promise<BucketCache> => {
  const files = path.join(folder, 'files');
  const temporary = path.join(folder, 'temporary');
  const { pathOf } = storeFolders(files);
  await mkdir(temporary, { recursive: true });
  await Promise.all(shards.map((shard) => mkdir(path.join(files, shard), { recursive: true })));
  await removeOrphans(temporary);
  const bound = createCacheBound(files, limitBytes, { spareMs });

  return {
    folder,
    trim: () => bound.grown(0),
    newDraft: () => newTemporaryPath(temporary),
    drop: async (draft) => {
      await unlinkIfThere(draft);
      forgetTemporaryPath(draft);
    },
    keep: async (draft, { sha256, sizeBytes }, isRead) => {
      const usedAt = new Date(Date.now() - spareMs + (isRead ? briefMs : 0));
      await utimes(draft, usedAt, usedAt);
      await rename(draft, pathOf(sha256));
      forgetTemporaryPath(draft);
      await bound.grown(sizeBytes);
    },
    find: async (sha256, isForLater = false) => {
      const file = pathOf(sha256);
      try {
        const usedAt = Date.now() - (isForLater ? 0 : spareMs - briefMs);
        const { mtimeMs } = await stat(file);
        // A file that changes is hashed again: its time is set once a minute at most.
        if (mtimeMs >= usedAt) return file;
        const latest = new Date(usedAt + touchMs);
        await utimes(file, latest, latest);
        return file;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    remove: (sha256) => unlinkIfThere(pathOf(sha256)),
    removeUnnamed: async (referencedAmong) => {
      for (const shard of shards) {
        const copies = (await readdir(path.join(files, shard))).filter(isHash);
        if (copies.length === 0) continue;
        const named = await referencedAmong(copies);
        for (const sha256 of copies) if (!named.has(sha256)) await unlinkIfThere(pathOf(sha256));
      }
    },
  };
};
