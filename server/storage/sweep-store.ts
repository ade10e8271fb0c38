import type { FilesRoot } from './files-home.ts';
import { homeOf } from './home-of.ts';
import type { UnnamedSearch } from './unnamed-files.ts';

export interface StoreSweep extends Omit<UnnamedSearch, 'root'> {
  readonly root: FilesRoot;
  /** Called before files of a group are moved; throws when nothing may be moved any more. */
  readonly ensureSafe?: () => Promise<void>;
}

/**
 * Quarantines unreferenced files: uploads whose rows were never committed, and files of expired imports. Safe during uploads and on several
 * nodes at once.
 * @returns the number of moved files and their bytes
 * @throws errors of `referencedAmong` and `ensureSafe`; the signal's reason
 */
export const sweepStore = async (sweep: StoreSweep): Promise<{ readonly files: number; readonly bytes: number }> => {
  const { root, orphanMs, referencedAmong, signal, ensureSafe } = sweep;
  const home = homeOf(root);
  const isOld = (changed: number) => Date.now() - changed > orphanMs;
  let [files, bytes] = [0, 0];
  for await (const unnamed of home.unnamedFiles(sweep)) {
    await ensureSafe?.();
    for (const { sha256 } of unnamed) {
      signal?.throwIfAborted();
      const isReferenced = async () => (await referencedAmong([sha256])).has(sha256);
      const moved = await home.quarantine(sha256, isOld, isReferenced);
      if (moved === null) continue;
      files += 1;
      bytes += moved;
    }
  }
  return { files, bytes };
};
