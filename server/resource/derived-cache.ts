import { randomUUID } from 'node:crypto';
import { access, mkdir, readFile, rename, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { createCacheBound } from './cache-bound.ts';

/** What can be made again, by name, in a folder that may be emptied at any time. */
export interface DerivedCache {
  /** null when it is not there, or not whole. */
  read(name: string): Promise<Buffer | null>;
  /** Whether it is there; whether it is whole shows when it is read. */
  has(name: string): Promise<boolean>;
  write(name: string, bytes: Uint8Array): Promise<void>;
}

const sumLength = 4;

/** The sum of all bytes before it stands at the end: a power cut or a bad disk must not change a grey value. */
const unsealed = (sealed: Buffer): Buffer | null => {
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

const orNull = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};

/**
 * Files are renamed into place, so that a reader never sees half of one; they are not synced, as they can be made again.
 * @param limitBytes the least recently used give way above it; without it nothing does
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
      // For the bound: the time of the last use outlives a restart.
      if (limitBytes < Number.POSITIVE_INFINITY) await utimes(target, new Date(), new Date()).catch(() => undefined);
      return bytes;
    },
    has: (name) =>
      access(pathOf(name)).then(
        () => true,
        () => false,
      ),
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
