import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { shards, storeFolders } from './folders.ts';
import { quarantineUnlessReferenced } from './quarantine.ts';
import { isMissing } from './storage-error.ts';

export interface UnnamedSearch {
  /** Root folder of a disk store. */
  readonly root: string;
  /** Younger files are skipped: their row may not be committed yet. */
  readonly orphanMs: number;
  /** Returns which of these hashes a row references. */
  readonly referencedAmong: (hashes: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly signal?: AbortSignal;
}

export interface StoreSweep extends UnnamedSearch {
  /** Called before files of a folder are moved; throws when nothing may be moved any more. */
  readonly ensureSafe?: () => Promise<void>;
}

export interface UnnamedFile {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly changedMs: number;
}

const factsOf = async (file: string, sha256: string): Promise<UnnamedFile | null> => {
  try {
    const { mtimeMs, size } = await stat(file);
    return { sha256, sizeBytes: size, changedMs: mtimeMs };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

/** Yields unreferenced files in groups: one query for each of the 256 folders. Files not written by a store are skipped. */
export async function* unnamedFiles(search: UnnamedSearch): AsyncGenerator<readonly UnnamedFile[]> {
  const { root, orphanMs, referencedAmong, signal } = search;
  const folders = storeFolders(root);
  for (const shard of shards) {
    signal?.throwIfAborted();
    const old: UnnamedFile[] = [];
    for (const name of await readdir(path.join(root, shard))) {
      if (!/^[0-9a-f]{64}$/.test(name)) continue;
      const facts = await factsOf(folders.pathOf(name), name);
      if (facts && Date.now() - facts.changedMs > orphanMs) old.push(facts);
    }
    if (old.length === 0) continue;
    const named = await referencedAmong(old.map(({ sha256 }) => sha256));
    const unnamed = old.filter(({ sha256 }) => !named.has(sha256));
    if (unnamed.length > 0) yield unnamed;
  }
}

/**
 * Quarantines unreferenced files: uploads whose rows were never committed, and files of expired imports. Safe during uploads and on several
 * nodes at once.
 * @returns the number of moved files and their bytes
 * @throws errors of `referencedAmong` and `ensureSafe`; the signal's reason
 */
export const sweepStore = async (sweep: StoreSweep): Promise<{ readonly files: number; readonly bytes: number }> => {
  const { root, orphanMs, referencedAmong, signal, ensureSafe } = sweep;
  const folders = storeFolders(root);
  const isOld = (changed: number) => Date.now() - changed > orphanMs;
  let [files, bytes] = [0, 0];
  for await (const unnamed of unnamedFiles(sweep)) {
    await ensureSafe?.();
    for (const { sha256 } of unnamed) {
      signal?.throwIfAborted();
      const isReferenced = async () => (await referencedAmong([sha256])).has(sha256);
      const moved = await quarantineUnlessReferenced(folders, sha256, isOld, isReferenced);
      if (moved === null) continue;
      files += 1;
      bytes += moved;
    }
  }
  return { files, bytes };
};
