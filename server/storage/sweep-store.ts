import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { shards, storeFolders } from './folders.ts';
import { removeUnlessWanted } from './quarantine.ts';
import { isMissing } from './storage-fault.ts';

export interface StoreSweep {
  /** The folder of a disk store. */
  readonly root: string;
  /** Files younger than this stay: the row that names them may be on its way. */
  readonly orphanMs: number;
  /** Which of these hashes are named by a row. */
  readonly namedAmong: (hashes: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly signal?: AbortSignal;
}

const changedMs = async (file: string): Promise<number> => {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return Number.POSITIVE_INFINITY;
    throw error;
  }
};

/**
 * Removes stored files that nobody names: uploads whose rows were never committed, leftovers of imports. May run while files come in, and on several nodes
 * at once.
 * @returns how many files were removed
 * @throws what `namedAmong` throws; the signal's reason
 */
export const sweepStore = async ({ root, orphanMs, namedAmong, signal }: StoreSweep): Promise<number> => {
  const folders = storeFolders(root);
  const isOld = (changed: number) => Date.now() - changed > orphanMs;
  let removed = 0;
  for (const shard of shards) {
    signal?.throwIfAborted();
    const old: string[] = [];
    for (const name of await readdir(path.join(root, shard)))
      if (/^[0-9a-f]{64}$/.test(name) && isOld(await changedMs(folders.pathOf(name)))) old.push(name);
    if (old.length === 0) continue;
    const named = await namedAmong(old);
    for (const sha256 of old.filter((hash) => !named.has(hash))) {
      signal?.throwIfAborted();
      const isWanted = async () => (await namedAmong([sha256])).has(sha256);
      if (await removeUnlessWanted(folders, sha256, isOld, isWanted)) removed += 1;
    }
  }
  return removed;
};
