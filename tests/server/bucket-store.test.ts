import { randomBytes } from 'node:crypto';
import { readdir, readFile, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageError } from '../../server/storage/file-store.ts';
import {
  type BucketUnderTest,
  briefTimes,
  bytesOf,
  hashOf,
  mebibyte,
  openBucketUnderTest,
  putRandom,
  sourceOf,
} from './bucket-under-test.ts';

let bucket: BucketUnderTest;
beforeAll(async () => {
  bucket = await openBucketUnderTest();
});
afterAll(async () => {
  await bucket?.close();
});

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof StorageError ? error.code : String(error);
};

const objectFile = (sha256: string) =>
  path.join(bucket.process.folder, bucket.process.config.bucket, 'files', `${sha256}._S3rver_object`);

describe('a file in a bucket', () => {
  it('is stored by its hash, and another node reads the same bytes', async () => {
    const { bytes, sha256, sizeBytes } = await putRandom(bucket.store, 300_000);
    expect(sha256).toBe(hashOf(bytes));
    expect(sizeBytes).toBe(300_000);
    expect(await bucket.process.objects()).toContain(`files/${sha256}`);
    const other = await bucket.another();
    expect(await other.store.sizeOf(sha256)).toBe(300_000);
    expect((await bytesOf(other.store, sha256)).equals(bytes)).toBe(true);
    expect(await other.store.verify(sha256)).toBe(300_000);
    expect((await readFile(await other.store.localPath(sha256))).equals(bytes)).toBe(true);
  });

  it('of many parts is complete, and leaves no open upload', async () => {
    const { bytes, sha256 } = await putRandom(bucket.store, 35 * mebibyte + 17);
    const other = await bucket.another();
    expect((await bytesOf(other.store, sha256)).equals(bytes)).toBe(true);
    expect(await bucket.process.uploads()).toEqual([]);
  });

  it('is read back before its batch is stored', async () => {
    const bytes = randomBytes(70_000);
    const batch = bucket.store.batch();
    const stored = await batch.add(sourceOf(bytes));
    expect((await buffer(batch.read(stored))).equals(bytes)).toBe(true);
    await batch.discard();
  });

  it('may be empty', async () => {
    const stored = await bucket.store.put(sourceOf(new Uint8Array()));
    const other = await bucket.another();
    expect(await other.store.sizeOf(stored.sha256)).toBe(0);
    expect((await bytesOf(other.store, stored.sha256)).byteLength).toBe(0);
  });

  it('is read by ranges without fetching the whole object', async () => {
    const { bytes, sha256 } = await putRandom(bucket.store, 2 * mebibyte);
    const other = await bucket.another();
    const range = { first: mebibyte, last: mebibyte + 99 };
    const part = await buffer(await other.store.openRange(sha256, range));
    expect(part.equals(bytes.subarray(range.first, range.last + 1))).toBe(true);
    // Behind the end there is nothing, as on a disk.
    const behind = await buffer(await other.store.openRange(sha256, { first: 5 * mebibyte, last: 6 * mebibyte }));
    expect(behind.byteLength).toBe(0);
    const cached = await readdir(path.join(other.home.localFolder, 'files', sha256.slice(0, 2)));
    expect(cached).toEqual([]);
    const verified = await buffer(await other.store.openVerified(sha256, range));
    expect(verified.equals(part)).toBe(true);
  });

  it('that is missing is reported as missing, and one in a missing bucket as away', async () => {
    const unknown = hashOf(randomBytes(8));
    expect(await bucket.store.sizeOf(unknown)).toBeNull();
    expect(await codeOf(bucket.store.openVerified(unknown))).toBe('missing');
    expect(await codeOf(bucket.store.verify(unknown))).toBe('missing');
    const other = await bucket.another();
    await other.home.writeMark('archive-id', 'another-archive');
    try {
      expect(await codeOf(bucket.store.sizeOf(unknown))).toBe('away');
      expect(await codeOf(putRandom(bucket.store, 10))).toBe('away');
    } finally {
      await other.home.writeMark('archive-id', 'archive-under-test');
    }
  });

  it('that was damaged in the bucket is never sent', async () => {
    const { bytes, sha256 } = await putRandom(bucket.store, 100_000);
    const changed = Buffer.from(bytes);
    changed.writeUInt8((changed.readUInt8(50_000) + 1) % 256, 50_000);
    await writeFile(objectFile(sha256), changed);
    const other = await bucket.another();
    expect(await codeOf(other.store.openVerified(sha256))).toBe('damaged');
    expect(await codeOf(other.store.localPath(sha256))).toBe('damaged');
    // A good copy does not hide it from the check of stored files.
    expect(await codeOf(bucket.store.verify(sha256))).toBe('damaged');
  });

  it('that is verified is not read from a damaged local copy afterwards', async () => {
    const { bytes, sha256 } = await putRandom(bucket.store, 100_000);
    const changed = Buffer.from(bytes);
    changed.writeUInt8((changed.readUInt8(50_000) + 1) % 256, 50_000);
    await writeFile(await bucket.store.localPath(sha256), changed);
    await bucket.store.verify(sha256);
    const part = await buffer(await bucket.store.openRange(sha256, { first: 49_000, last: 50_999 }));
    expect(part.equals(bytes.subarray(49_000, 51_000))).toBe(true);
  });

  it('whose local copy is damaged is fetched again', async () => {
    const { bytes, sha256 } = await putRandom(bucket.store, 100_000);
    await truncate(await bucket.store.localPath(sha256), 10);
    expect((await bytesOf(bucket.store, sha256)).equals(bytes)).toBe(true);
    const other = await bucket.another();
    await writeFile(await other.store.localPath(sha256), 'other bytes');
    const again = await bucket.another();
    expect((await readFile(await again.store.localPath(sha256))).equals(bytes)).toBe(true);
  });

  it('is not acknowledged when other bytes arrive than were sent', async () => {
    for (const sizeBytes of [1000, 20 * mebibyte]) {
      const bytes = randomBytes(sizeBytes);
      await bucket.process.setMode('flip');
      try {
        expect(await codeOf(bucket.store.put(sourceOf(bytes)))).toBe('away');
      } finally {
        await bucket.process.setMode('');
      }
      expect(await bucket.store.sizeOf(hashOf(bytes))).toBeNull();
    }
    expect(await bucket.process.uploads()).toEqual([]);
  });

  it('leaves nothing when its source ends with an error or is too large', async () => {
    const before = await bucket.process.objects();
    const broken = async function* () {
      yield randomBytes(1000);
      throw new Error('the sender left');
    };
    await expect(bucket.store.put(broken())).rejects.toThrow('the sender left');
    expect(await codeOf(bucket.store.put(sourceOf(randomBytes(1000)), 999))).toBe('too-large');
    expect(await bucket.process.objects()).toEqual(before);
    expect(await readdir(path.join(bucket.cacheFolder, 'temporary'))).toEqual([]);
  });
});

describe('a batch', () => {
  it('stores all its files or, when discarded, keeps no draft', async () => {
    const batch = bucket.store.batch();
    const all = [randomBytes(1000), randomBytes(2000), randomBytes(3000)];
    for (const bytes of all) await batch.add(sourceOf(bytes));
    await batch.keep();
    await batch.discard();
    for (const bytes of all) expect(await bucket.store.sizeOf(hashOf(bytes))).toBe(bytes.byteLength);
    const dropped = bucket.store.batch();
    await dropped.add(sourceOf(randomBytes(500)));
    await dropped.discard();
    expect(await readdir(path.join(bucket.cacheFolder, 'temporary'))).toEqual([]);
  });
});

describe('the cache', () => {
  it('stays within its limit and removes what was not used for longest', async () => {
    const small = await bucket.another({ cacheBytes: mebibyte });
    const files = [];
    for (let index = 0; index < 8; index += 1) files.push(await putRandom(small.store, 300_000));
    const names = (await readdir(path.join(small.home.localFolder, 'files'), { recursive: true })).filter((name) =>
      /[0-9a-f]{64}$/.test(name),
    );
    expect(names.length).toBeLessThanOrEqual(3);
    for (const { sha256, bytes } of files) expect((await bytesOf(small.store, sha256)).equals(bytes)).toBe(true);
  });

  it('keeps a file that is larger than the limit while it is read', async () => {
    const { sha256, bytes } = await putRandom(bucket.store, 2 * mebibyte);
    const small = await bucket.another({ cacheBytes: mebibyte });
    const [first, second] = await Promise.all([bytesOf(small.store, sha256), small.store.localPath(sha256)]);
    expect(first.equals(bytes)).toBe(true);
    expect((await readFile(second)).equals(bytes)).toBe(true);
  });
});

describe('an object store that fails', () => {
  it('that dies in the middle of an upload has no half file afterwards, and the sweep ends what is left open', async () => {
    const bytes = randomBytes(40 * mebibyte);
    const sha256 = hashOf(bytes);
    const brief = await bucket.another({ times: briefTimes });
    const put = codeOf(brief.store.put(sourceOf(bytes, mebibyte)));
    await expect.poll(bucket.process.uploads, { interval: 1, timeout: 20_000 }).toHaveLength(1);
    await bucket.process.kill();
    expect(await put).toBe('away');
    await bucket.process.start();
    expect(await bucket.store.sizeOf(sha256)).toBeNull();
    const [left = ''] = await bucket.process.uploads();
    const none = async () => new Set<string>();
    await bucket.home.removeLeftovers(none);
    expect(await bucket.process.uploads()).toEqual([left]);
    const { folder, config } = bucket.process;
    const longAgo = new Date(Date.now() - 2 * 24 * 3_600_000);
    await utimes(path.join(folder, config.bucket, '._S3rver_uploads', left, 'key'), longAgo, longAgo);
    await bucket.home.removeLeftovers(none);
    expect(await bucket.process.uploads()).toEqual([]);
    await bucket.store.put(sourceOf(bytes, mebibyte));
    expect(await bucket.store.verify(sha256)).toBe(bytes.byteLength);
  });

  it('does not hold a reader for ever', async () => {
    const { sha256 } = await putRandom(bucket.store, 200_000);
    const brief = await bucket.another({ times: briefTimes });
    await bucket.process.setMode('stall');
    try {
      expect(await codeOf(brief.store.verify(sha256))).toBe('away');
      expect(await codeOf(brief.store.openVerified(sha256))).toBe('away');
    } finally {
      await bucket.process.setMode('');
    }
    expect(await brief.store.verify(sha256)).toBe(200_000);
  });

  it('is away when it is gone or silent, and full when it has no space; afterwards all goes on', async () => {
    const kept = await putRandom(bucket.store, 50_000);
    const brief = await bucket.another({ times: briefTimes });
    await bucket.process.setMode('full');
    expect(await codeOf(putRandom(brief.store, 1000))).toBe('full');
    expect(brief.home.fullSince()).not.toBeNull();
    expect((await bytesOf(brief.store, kept.sha256)).equals(kept.bytes)).toBe(true);
    await bucket.process.setMode('silent');
    expect(await codeOf(brief.store.sizeOf(kept.sha256))).toBe('away');
    expect(await codeOf(putRandom(brief.store, 1000))).toBe('away');
    await bucket.process.setMode('');
    await bucket.process.kill();
    expect(await codeOf(putRandom(brief.store, 1000))).toBe('away');
    // What is on the local disk can still be read.
    expect((await bytesOf(brief.store, kept.sha256)).equals(kept.bytes)).toBe(true);
    await bucket.process.start();
    const { sha256 } = await putRandom(brief.store, 1000);
    expect(await bucket.store.sizeOf(sha256)).toBe(1000);
    expect(brief.home.fullSince()).toBeNull();
  });
});
