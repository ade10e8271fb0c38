import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { DerivedObjects } from '../files-home.ts';
import type { UnnamedSearch } from '../unnamed-files.ts';
import type { Bucket } from './bucket.ts';
import { derivedPrefix, isHash } from './bucket-layout.ts';

/** Returns the derived files of one kind in a bucket. They can be removed at any time. */
export const derivedObjects = (bucket: Bucket, kind: string): DerivedObjects => {
  const keyOfName = (name: string) => `${derivedPrefix}${kind}/${name}`;
  return {
    read: async (name) => {
      const source = await bucket.read(keyOfName(name));
      return source && buffer(Readable.from(source));
    },
    has: async (name) => (await bucket.head(keyOfName(name))) !== null,
    write: (name, bytes) => bucket.put(keyOfName(name), bytes, createHash('sha256').update(bytes).digest('hex')),
    remove: async (beginning) => {
      for await (const page of bucket.list(keyOfName(beginning))) for (const { key } of page) await bucket.remove(key);
    },
  };
};

/** Removes what was derived from files that no row references. */
export const removeUnnamedDerived = async (
  bucket: Bucket,
  referencedAmong: UnnamedSearch['referencedAmong'],
): Promise<void> => {
  for await (const page of bucket.list(derivedPrefix)) {
    const derived = page.flatMap(({ key }) => {
      const sha256 = key.slice(key.lastIndexOf('/') + 1).slice(0, 64);
      return isHash(sha256) ? [{ key, sha256 }] : [];
    });
    if (derived.length === 0) continue;
    const named = await referencedAmong([...new Set(derived.map(({ sha256 }) => sha256))]);
    for (const { key, sha256 } of derived) if (!named.has(sha256)) await bucket.remove(key);
  }
};
