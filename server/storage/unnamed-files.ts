import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { shards, storeFolders } from './folders.ts';
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
