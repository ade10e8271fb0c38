import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { createCacheBound } from '../storage/cache-bound.ts';
import type { UnnamedSearch } from '../storage/unnamed-files.ts';

/** Cache of derived files by name, in a folder that may be emptied at any time. */
export interface DerivedCache {
  /** Returns null when the file is missing or incomplete. */
  read(name: string): Promise<Buffer | null>;
  /** Returns whether the file exists; whether it is intact shows when it is read. */
  has(name: string): Promise<boolean>;
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Removes all files whose names start with the prefix. */
  remove(beginning: string): Promise<void>;
  /** Removes what this node keeps of files that no row references. Names begin with the hash of their file. */
  removeUnnamed(referencedAmong: UnnamedSearch['referencedAmong']): Promise<void>;
}

const sumLength = 4;
const hashLength = 64;
/** Names of one query. */
const namesAtOnce = 1_000;

/** Each file ends with a checksum of its bytes: a power cut or a bad disk must not change a grey value. */
export const unsealed = (sealed: Buffer): Buffer | null => {
  const end = sealed.byteLength - sumLength;
  if (end <= 0) return null;
  const bytes = sealed.subarray(0, end);
  return crc32(bytes) === sealed.readUInt32LE(end) ? bytes : null;
};

const sumOf = (bytes: Uint8Array): Buffer => {
  const sum = Buffer.alloc(sumLength);
  sum.writeUInt32LE(crc32(bytes));
  return sum;
};

export const sealed = (bytes: Uint8Array): Buffer => Buffer.concat([bytes, sumOf(bytes)]);

const orNull = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};

/**
 * Opens a cache. Files are renamed into place, so that readers never see half a file; they are not synced, as they can be derived again.
 * @param limitBytes limit above which the least recently used files are evicted; unlimited by default
 */
export const openDerivedCache = (root: string, limitBytes = Number.POSITIVE_INFINITY): DerivedCache => {
  const bound = createCacheBound(root, limitBytes);
  const pathOf = (name: string) => path.join(root, name.slice(0, 2), name);
  return {
    read: async (name) => {
      const target = pathOf(name);
      const sealed = await readFile(target).catch(orNull);
      if (!sealed) return null;
      const bytes = unsealed(sealed);
      if (!bytes) {
        await unlink(target).catch(orNull);
        return null;
      }
      // Records the time of use for the eviction, so that it survives a restart.
      if (limitBytes < Number.POSITIVE_INFINITY) await utimes(target, new Date(), new Date()).catch(() => undefined);
      return bytes;
    },
    has: (name) =>
      access(pathOf(name)).then(
        () => true,
        () => false,
      ),
    remove: async (beginning) => {
      const folder = path.dirname(pathOf(beginning));
      for (const name of (await readdir(folder).catch(orNull)) ?? [])
        if (name.startsWith(beginning)) await unlink(path.join(folder, name)).catch(orNull);
    },
    removeUnnamed: async (referencedAmong) => {
      for (const folder of (await readdir(root).catch(orNull)) ?? []) {
        const names = (await readdir(path.join(root, folder)).catch(orNull)) ?? [];
        for (let from = 0; from < names.length; from += namesAtOnce) {
          const some = names.slice(from, from + namesAtOnce);
          const named = await referencedAmong([...new Set(some.map((name) => name.slice(0, hashLength)))]);
          for (const name of some)
            if (!named.has(name.slice(0, hashLength))) await unlink(path.join(root, folder, name)).catch(orNull);
        }
      }
    },
    write: async (name, bytes) => {
      const target = pathOf(name);
      const draft = `${target}.${randomUUID()}`;
      await mkdir(path.dirname(target), { recursive: true });
      try {
        await writeFile(draft, [bytes, sumOf(bytes)]);
        await rename(draft, target);
      } catch (error) {
        await unlink(draft).catch(() => undefined);
        throw error;
      }
      await bound.grown(bytes.byteLength + sumLength);
    },
  };
};
