import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { putBy, writeDraft } from '../batch-files.ts';
import type { DiskStoreOptions } from '../disk-store.ts';
import { type ByteRange, type FileStore, StorageError } from '../file-store.ts';
import { freeChunk } from '../free-chunk.ts';
import { createVerifiedReads } from '../verified-reads.ts';
import type { Bucket } from './bucket.ts';
import { openBucketBatch } from './bucket-batch.ts';
import type { BucketCache } from './bucket-cache.ts';
import { isHash, keyOf } from './bucket-layout.ts';
import { openBucketPresence } from './bucket-presence.ts';
import { restoreFromDays } from './bucket-quarantine.ts';

const readBytes = 1 << 19;
/** A copy that was verified is not verified again for this long. */
const recentMs = 60_000;
const maxRecent = 1000;

const missing = (sha256: string) => new StorageError('missing', `The store holds no file ${sha256}`);
const damaged = (sha256: string) =>
  new StorageError('damaged', `The bytes of file ${sha256} are not those that were stored`);
const isCode = (error: unknown, ...codes: string[]) => error instanceof StorageError && codes.includes(error.code);

export interface BucketStoreParts {
  readonly bucket: Bucket;
  readonly cache: BucketCache;
}

/** Opens a store of files in a bucket, with verified copies on the local disk. @throws StorageError 'away' */
export const openBucketStore = async (
  { bucket, cache }: BucketStoreParts,
  {
    isAway = () => false,
    onStored = async () => undefined,
    ensureSpace = async () => undefined,
  }: DiskStoreOptions = {},
): Promise<FileStore> => {
  const presence = await openBucketPresence(bucket, isAway, cache.folder);
  const openBatch = () => openBucketBatch({ bucket, cache, presence, onStored, ensureSpace });
  const downloads = new Map<string, Promise<void>>();
  const recent = new Map<string, number>();

  /** Converts errors of bucket and disk. */
  const inStore = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw presence.errorOf(error);
    }
  };

  const sizeOf = (sha256: string) =>
    inStore(async () => {
      if (!isHash(sha256)) return null;
      const found = await bucket.head(keyOf(sha256));
      if (found) return found.sizeBytes;
      // A missing bucket does not mean a missing file.
      await presence.ensureHere();
      const isRestored = await restoreFromDays(bucket, sha256);
      return isRestored ? ((await bucket.head(keyOf(sha256)))?.sizeBytes ?? null) : null;
    });

  /** Opens the object, also when a sweep has quarantined it. */
  const readObject = (sha256: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array>> =>
    inStore(async () => {
      if (!isHash(sha256)) throw missing(sha256);
      const found = await bucket.read(keyOf(sha256), range);
      if (found) return found;
      if ((await sizeOf(sha256)) === null) throw missing(sha256);
      const restored = await bucket.read(keyOf(sha256), range);
      if (restored) return restored;
      throw missing(sha256);
    });

  const download = async (sha256: string): Promise<void> => {
    await cache.trim();
    const source = await readObject(sha256);
    const draft = cache.newDraft();
    try {
      const stored = await writeDraft(draft, source, Number.POSITIVE_INFINITY, freeChunk);
      if (stored.sha256 !== sha256) throw damaged(sha256);
      await cache.keep(draft, stored, true);
    } catch (error) {
      await cache.drop(draft).catch(() => undefined);
      throw presence.errorOf(error);
    }
  };

  /** Returns the path of a copy, whose bytes were verified when it was made. */
  const cachedPath = async (sha256: string, isForLater = false): Promise<string> => {
    if (!isHash(sha256)) throw missing(sha256);
    for (;;) {
      const found = await inStore(() => cache.find(sha256, isForLater));
      if (found) return found;
      const running = downloads.get(sha256) ?? download(sha256).finally(() => downloads.delete(sha256));
      downloads.set(sha256, running);
      await running;
    }
  };
  const copies = createVerifiedReads((sha256) => cachedPath(sha256));

  /** Repeats work on a copy after the copy was lost or its disk damaged it; the bucket may have it intact. */
  const onCopy = async <Result>(sha256: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (!isCode(error, 'damaged', 'missing')) throw error;
      await cache.remove(sha256);
      return work();
    }
  };

  const localPath = (sha256: string): Promise<string> =>
    onCopy(sha256, async () => {
      const path = await cachedPath(sha256, true);
      if ((recent.get(sha256) ?? 0) < Date.now()) {
        await copies.verify(sha256);
        recent.delete(sha256);
        recent.set(sha256, Date.now() + recentMs);
        const [oldest] = recent.keys();
        if (recent.size > maxRecent && oldest !== undefined) recent.delete(oldest);
      }
      return path;
    });

  const openRange = async (sha256: string, range?: ByteRange): Promise<Readable> => {
    const file = range
      ? await inStore(async () => (isHash(sha256) ? cache.find(sha256) : null))
      : await localPath(sha256);
    const part = range ? { start: range.first, end: range.last } : {};
    const stream = file
      ? createReadStream(file, { highWaterMark: readBytes, ...part })
      : Readable.from(converted(await readObject(sha256, range)), { objectMode: false });
    // A reader that disconnects destroys the stream; that is not a storage error.
    finished(stream).catch(() => undefined);
    return stream;
  };

  async function* converted(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* source;
    } catch (error) {
      throw presence.errorOf(error);
    }
  }

  return {
    put: putBy(openBatch),
    batch: openBatch,
    sizeOf,
    localPath,
    openRange,
    openVerified: (sha256, range) => onCopy(sha256, () => copies.openVerified(sha256, range)),
    // Of the object itself: a good copy must not hide a damaged object. Ranges are read from the copy, which is verified too.
    verify: async (sha256, pace = async () => undefined) => {
      const verified = await inStore(async () => {
        const hash = createHash('sha256');
        let sizeBytes = 0;
        for await (const chunk of await readObject(sha256)) {
          hash.update(chunk);
          sizeBytes += chunk.byteLength;
          await pace(chunk.byteLength);
        }
        if (hash.digest('hex') !== sha256) throw damaged(sha256);
        return sizeBytes;
      });
      if ((await inStore(() => cache.find(sha256))) !== null)
        await copies.verify(sha256).catch(async (error: unknown) => {
          if (!isCode(error, 'damaged', 'missing')) throw error;
          await cache.remove(sha256);
        });
      return verified;
    },
  };
};
