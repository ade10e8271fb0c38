import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { BucketTimes } from '../../server/storage/bucket/bucket.ts';
import type { BucketConfig } from '../../server/storage/bucket/bucket-config.ts';
import { openBucketHome } from '../../server/storage/bucket/bucket-home.ts';
import type { FileStore } from '../../server/storage/file-store.ts';
import type { FilesHome } from '../../server/storage/files-home.ts';
import { type ObjectStoreProcess, startObjectStore } from './object-store-process.ts';

export const mebibyte = 2 ** 20;
export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export async function* sourceOf(bytes: Uint8Array, chunkBytes = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) yield Buffer.from(bytes.subarray(at, at + chunkBytes));
}

/** Times that let a test see a silent store. */
export const briefTimes: BucketTimes = { replyMs: 1_000, transferMs: 2_000, silentMs: 1_000 };

export const bucketConfigOf = (process: ObjectStoreProcess, cacheBytes = 1e9): BucketConfig => ({
  ...process.config,
  encryption: 'none',
  cacheBytes,
});

/** Settings of a server whose files are in the bucket. */
export const bucketEnvironment = ({ config }: ObjectStoreProcess): Readonly<Record<string, string>> => ({
  DENTARIUM_STORE: 's3',
  DENTARIUM_STORE_ENDPOINT: config.endpoint,
  DENTARIUM_STORE_BUCKET: config.bucket,
  DENTARIUM_STORE_REGION: config.region,
  DENTARIUM_STORE_ACCESS_KEY_ID: config.accessKeyId,
  DENTARIUM_STORE_SECRET_ACCESS_KEY: config.secretAccessKey,
});

export interface BucketUnderTest {
  readonly process: ObjectStoreProcess;
  readonly home: FilesHome;
  readonly store: FileStore;
  readonly cacheFolder: string;
  /** Opens the same bucket as another node would. */
  another(options?: { times?: BucketTimes; cacheBytes?: number }): Promise<{ home: FilesHome; store: FileStore }>;
  close(): Promise<void>;
}

/** Starts an object store with a bucket that has the mark of an archive. */
export const openBucketUnderTest = async (times?: BucketTimes): Promise<BucketUnderTest> => {
  const process = await startObjectStore();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-bucket-'));
  const homes: FilesHome[] = [];
  const open = async (name: string, withTimes = times, cacheBytes?: number) => {
    const home = await openBucketHome(bucketConfigOf(process, cacheBytes), path.join(folder, name), withTimes);
    homes.push(home);
    if ((await home.readMark('archive-id')) === null) await home.writeMark('archive-id', 'archive-under-test');
    return { home, store: await home.openStore() };
  };
  const first = await open('node-0');
  return {
    process,
    ...first,
    cacheFolder: path.join(folder, 'node-0'),
    another: (options) => open(`node-${homes.length}`, options?.times, options?.cacheBytes),
    close: async () => {
      for (const home of homes) home.close();
      await process.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export const bytesOf = async (store: FileStore, sha256: string): Promise<Buffer> =>
  buffer(await store.openVerified(sha256));

export const putRandom = async (store: FileStore, sizeBytes: number) => {
  const bytes = randomBytes(sizeBytes);
  const stored = await store.put(sourceOf(bytes));
  return { bytes, ...stored };
};
