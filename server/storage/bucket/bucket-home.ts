import type { FilesHome, FilesProblem } from '../files-home.ts';
import { ObjectStoreError, type ObjectStoreProblem } from '../object-store-error.ts';
import { type Bucket, type BucketTimes, openBucket } from './bucket.ts';
import { type BucketCache, openBucketCache } from './bucket-cache.ts';
import type { BucketConfig } from './bucket-config.ts';
import { derivedObjects, removeUnnamedDerived } from './bucket-derived.ts';
import { filesPrefix, keyOf } from './bucket-layout.ts';
import { openBucketParts } from './bucket-parts.ts';
import {
  destroyObject,
  quarantinedObjects,
  quarantineObject,
  removeObjectLeftovers,
  restoreFromDays,
  tidyObjects,
  unnamedObjects,
} from './bucket-quarantine.ts';
import { openBucketStore } from './bucket-store.ts';

/** A full store still reads. */
const problems: Readonly<Record<ObjectStoreProblem, FilesProblem | null>> = {
  gone: 'store-gone',
  slow: 'store-slow',
  denied: 'store-denied',
  'bucket-missing': 'bucket-missing',
  full: null,
};

const holdsAny = async (bucket: Bucket, prefix: string): Promise<boolean> => {
  for await (const page of bucket.list(prefix)) if (page.length > 0) return true;
  return false;
};

const daysIn = async (bucket: Bucket) => {
  const days = new Map<string, { files: number; bytes: number }>();
  for await (const some of quarantinedObjects(bucket)) {
    for (const { day, sizeBytes } of some) {
      const { files, bytes } = days.get(day) ?? { files: 0, bytes: 0 };
      days.set(day, { files: files + 1, bytes: bytes + sizeBytes });
    }
  }
  return [...days].map(([day, count]) => ({ day, ...count }));
};

/**
 * Opens the files of an archive in a bucket, with a cache on the local disk. Nothing is requested yet.
 * @param cacheFolder may be shared by processes of this machine
 */
export const openBucketHome = async (
  config: BucketConfig,
  cacheFolder: string,
  times?: BucketTimes,
): Promise<FilesHome> => {
  const bucket = await openBucket(config, times);
  let cache: Promise<BucketCache> | null = null;
  const openCache = () => {
    cache ??= openBucketCache(cacheFolder, config.cacheBytes);
    return cache;
  };
  return {
    kind: 'bucket',
    name: bucket.name,
    localFolder: cacheFolder,
    openStore: async (options) => openBucketStore({ bucket, cache: await openCache() }, options),
    derived: (kind) => derivedObjects(bucket, kind),
    openDrafts: async (options) => openBucketParts({ bucket, cache: await openCache() }, options),
    exists: async () => {
      // The mark need not exist: only a bucket that exists replies.
      await bucket.folders('');
      return true;
    },
    create: async () => undefined,
    isEmpty: async () => !(await holdsAny(bucket, '')),
    holdsFiles: () => holdsAny(bucket, filesPrefix),
    has: async (sha256) => (await bucket.head(keyOf(sha256))) !== null,
    readMark: bucket.readText,
    writeMark: bucket.writeText,
    removeMark: bucket.remove,
    problemOf: (error) => (error instanceof ObjectStoreError ? problems[error.problem] : null),
    fullSince: bucket.fullSince,
    unnamedFiles: (search) => unnamedObjects(bucket, search),
    quarantine: (...args) => quarantineObject(bucket, ...args),
    tidyQuarantine: (cleanup) => tidyObjects(bucket, cleanup),
    quarantinedDays: () => daysIn(bucket),
    quarantinedFiles: () => quarantinedObjects(bucket),
    bringBack: async (sha256) => {
      if (!(await restoreFromDays(bucket, sha256))) await bucket.copy(keyOf(sha256), keyOf(sha256));
    },
    destroy: async (sha256, destruction) => {
      const outcome = await destroyObject(bucket, sha256, destruction);
      if (outcome === 'gone') await (await openCache()).remove(sha256);
      return outcome;
    },
    removeLeftovers: async (referencedAmong) => {
      await removeObjectLeftovers(bucket);
      await removeUnnamedDerived(bucket, referencedAmong);
    },
    tidyCopies: async (referencedAmong) => (await openCache()).removeUnnamed(referencedAmong),
    findStored: async (sha256) => {
      const key = keyOf(sha256);
      const found =
        (await bucket.head(key)) ?? ((await restoreFromDays(bucket, sha256)) ? await bucket.head(key) : null);
      return found && { sizeBytes: found.sizeBytes, read: () => readAll(bucket, key) };
    },
    close: bucket.close,
  };
};

async function* readAll(bucket: Bucket, key: string): AsyncGenerator<Uint8Array> {
  const source = await bucket.read(key);
  if (!source) throw new ObjectStoreError('away', 'An object was removed while it was read');
  yield* source;
}
