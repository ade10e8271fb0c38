import { readdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';

export interface CacheBound {
  /** Counts added bytes. Resolves when the cache is within its limit. */
  readonly grown: (bytes: number) => Promise<void>;
}

interface Entry {
  readonly file: string;
  readonly sizeBytes: number;
  readonly usedAt: number;
}

/** Fill level after a clean-up, so that not every new file starts one. */
const leftFull = 0.9;
/** Pause after a clean-up that found only files in use. */
const pauseMs = 5_000;

const entriesOf = async (root: string): Promise<Entry[]> => {
  const names = await readdir(root, { recursive: true });
  const entries = await Promise.all(
    names.map(async (name) => {
      const file = path.join(root, name);
      const found = await stat(file).catch(() => null);
      return found?.isFile() ? [{ file, sizeBytes: found.size, usedAt: found.mtimeMs }] : [];
    }),
  );
  return entries.flat();
};

interface BoundOptions {
  /** Files used within this time stay, even above the limit: a reader may be about to open them. */
  readonly spareMs?: number;
}

/**
 * Keeps the files below `root` within `limitBytes`: evicts the least recently used by modification time. Between clean-ups the size is
 * estimated; the folder is counted when the estimate reaches the limit, and at the first growth.
 */
export const createCacheBound = (root: string, limitBytes: number, { spareMs = 0 }: BoundOptions = {}): CacheBound => {
  let estimate = limitBytes;
  let clearing: Promise<void> | null = null;
  let clearsFrom = 0;

  const clear = async () => {
    const entries = (await entriesOf(root)).sort((one, other) => one.usedAt - other.usedAt);
    estimate = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (estimate <= limitBytes) return;
    const spared = Date.now() - spareMs;
    for (const { file, sizeBytes, usedAt } of entries) {
      if (spareMs > 0 && usedAt > spared) {
        // Listing them all again for each new file would find the same.
        clearsFrom = Date.now() + pauseMs;
        return;
      }
      if (estimate <= limitBytes * leftFull) return;
      // Used since it was listed.
      if (spareMs > 0 && (await stat(file).catch(() => null))?.mtimeMs !== usedAt) continue;
      // Another node may have removed it.
      await unlink(file).catch(() => undefined);
      estimate -= sizeBytes;
    }
  };

  return {
    grown: async (bytes) => {
      if (limitBytes === Number.POSITIVE_INFINITY) return;
      estimate += bytes;
      if (estimate <= limitBytes || Date.now() < clearsFrom) return;
      clearing ??= clear().finally(() => {
        clearing = null;
      });
      await clearing;
    },
  };
};
