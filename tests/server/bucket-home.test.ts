import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bucket, openBucket } from '../../server/storage/bucket/bucket.ts';
import { quarantineObject } from '../../server/storage/bucket/bucket-quarantine.ts';
import { StorageError } from '../../server/storage/file-store.ts';
import { dayBefore } from '../../server/storage/quarantine-days.ts';
import { sweepStore } from '../../server/storage/sweep-store.ts';
import {
  type BucketUnderTest,
  bucketConfigOf,
  bytesOf,
  hashOf,
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

const hourMs = 60 * 60 * 1000;
const always = async () => true;
const never = async () => false;
const isOld = (changedMs: number) => Date.now() - changedMs > hourMs;
const none = async () => new Set<string>();

/** Changes the age of an object, as the store reports it. */
const makeOld = async (key: string) => {
  const { folder, config } = bucket.process;
  const then = new Date(Date.now() - 2 * hourMs);
  await utimes(path.join(folder, config.bucket, `${key}._S3rver_object`), then, then);
};
const putOld = async (sizeBytes = 1000) => {
  const file = await putRandom(bucket.store, sizeBytes);
  await makeOld(`files/${file.sha256}`);
  return file;
};
const keysOf = async (sha256: string) => (await bucket.process.objects()).filter((key) => key.includes(sha256));

describe('the sweep of a bucket', () => {
  it('quarantines old files without a record, and leaves new and referenced ones', async () => {
    const [orphan, referenced] = [await putOld(), await putOld()];
    const recent = await putRandom(bucket.store, 1000);
    const swept = await sweepStore({
      root: bucket.home,
      orphanMs: hourMs,
      referencedAmong: async () => new Set([referenced.sha256]),
    });
    expect(swept).toEqual({ files: 1, bytes: 1000 });
    expect(await keysOf(orphan.sha256)).toEqual([`quarantine/${dayBefore(0)}/${orphan.sha256}`]);
    for (const { sha256 } of [referenced, recent]) expect(await keysOf(sha256)).toEqual([`files/${sha256}`]);
    expect(await bucket.home.quarantinedDays()).toEqual([{ day: dayBefore(0), files: 1, bytes: 1000 }]);
  });

  it('keeps a file that is stored again while it is judged', async () => {
    const { sha256, bytes } = await putOld();
    const moved = await bucket.home.quarantine(sha256, isOld, async () => {
      await bucket.store.put(sourceOf(bytes));
      return false;
    });
    expect(moved).toBeNull();
    expect(await keysOf(sha256)).toContain(`files/${sha256}`);
  });

  it('restores a file that becomes referenced while it is moved', async () => {
    const { sha256 } = await putOld();
    const answers = [false, true];
    expect(await bucket.home.quarantine(sha256, isOld, async () => answers.shift() ?? true)).toBeNull();
    expect(await keysOf(sha256)).toContain(`files/${sha256}`);
  });

  it('that judged a file long ago and removes it late loses nothing that was restored meanwhile', async () => {
    const { sha256, bytes } = await putOld();
    const objects = await openBucket(bucketConfigOf(bucket.process));
    const other = await bucket.another();
    const late: Bucket = {
      ...objects,
      remove: async (key) => {
        expect(await bucket.home.quarantine(sha256, isOld, never)).toBe(1000);
        await other.store.sizeOf(sha256);
        await bucket.home.tidyQuarantine({ removeBefore: null, referencedAmong: async () => new Set([sha256]) });
        await objects.remove(key);
      },
    };
    await quarantineObject(late, sha256, isOld, never);
    objects.close();
    const reader = await bucket.another();
    expect((await bytesOf(reader.store, sha256)).equals(bytes)).toBe(true);
  });
});

describe('the quarantine of a bucket', () => {
  it('gives a file back to a reader of any node', async () => {
    const { sha256, bytes } = await putOld();
    expect(await bucket.home.quarantine(sha256, isOld, never)).toBe(1000);
    const other = await bucket.another();
    expect((await bytesOf(other.store, sha256)).equals(bytes)).toBe(true);
    expect(await keysOf(sha256)).toContain(`files/${sha256}`);
  });

  it('drops the copy of a file that is in its place again, when the day is over', async () => {
    const { sha256 } = await putOld();
    await bucket.home.quarantine(sha256, isOld, never);
    expect(await bucket.store.sizeOf(sha256)).toBe(1000);
    const { folder, config } = bucket.process;
    const quarantine = path.join(folder, config.bucket, 'quarantine');
    await mkdir(path.join(quarantine, dayBefore(3)), { recursive: true });
    for (const name of await readdir(path.join(quarantine, dayBefore(0))))
      if (name.startsWith(sha256))
        await rename(path.join(quarantine, dayBefore(0), name), path.join(quarantine, dayBefore(3), name));
    for (const names of [new Set([sha256]), new Set<string>()]) {
      await bucket.home.tidyQuarantine({ removeBefore: null, referencedAmong: async () => names });
      expect(await keysOf(sha256)).toEqual([`files/${sha256}`]);
    }
  });

  it('restores what is referenced again, and removes the rest after its time', async () => {
    const [back, gone] = [await putOld(), await putOld()];
    for (const { sha256 } of [back, gone]) await bucket.home.quarantine(sha256, isOld, never);
    const referencedAmong = async () => new Set([back.sha256]);
    const tidied = await bucket.home.tidyQuarantine({ removeBefore: null, referencedAmong });
    expect(tidied.restored).toBe(1);
    expect(await keysOf(back.sha256)).toContain(`files/${back.sha256}`);
    const later = new Date(Date.now() + 48 * hourMs).toISOString().slice(0, 10);
    await bucket.home.tidyQuarantine({ removeBefore: later, referencedAmong: none });
    expect(await keysOf(gone.sha256)).toEqual([]);
  });

  it('finds a quarantined file for a backup, and brings files back as if they were new', async () => {
    const { sha256, bytes } = await putOld();
    await bucket.home.quarantine(sha256, isOld, never);
    const found = await bucket.home.findStored(sha256);
    expect(found?.sizeBytes).toBe(1000);
    const chunks: Uint8Array[] = [];
    for await (const chunk of found?.read() ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    await makeOld(`files/${sha256}`);
    await bucket.home.bringBack(sha256);
    expect(await bucket.home.quarantine(sha256, isOld, never)).toBeNull();
  });
});

describe('the removal of a file for good', () => {
  it('removes the object, its copies in quarantine and the copy of this node', async () => {
    const { sha256 } = await putOld();
    await bucket.home.quarantine(sha256, isOld, never);
    expect(await bucket.home.destroy(sha256, { isReferenced: never, isOld })).toBe('gone');
    expect(await keysOf(sha256)).toEqual([]);
    await expect(bucket.store.openVerified(sha256)).rejects.toBeInstanceOf(StorageError);
  });

  it('leaves a referenced or recent file', async () => {
    const old = await putOld();
    expect(await bucket.home.destroy(old.sha256, { isReferenced: always, isOld })).toBe('referenced');
    const recent = await putRandom(bucket.store, 10);
    expect(await bucket.home.destroy(recent.sha256, { isReferenced: never, isOld })).toBe('recent');
    for (const { sha256 } of [old, recent]) expect(await keysOf(sha256)).toEqual([`files/${sha256}`]);
  });

  it('lets a writer of the same bytes wait, whose file is then in place', async () => {
    const { sha256, bytes } = await putOld();
    let written: Promise<unknown> = Promise.resolve();
    const outcome = await bucket.home.destroy(sha256, {
      isOld,
      isReferenced: async () => {
        written = bucket.store.put(sourceOf(bytes));
        // The writer has uploaded and found the mark of this removal.
        await pause(1_500);
        return false;
      },
    });
    expect(outcome).toBe('gone');
    await written;
    expect(await keysOf(sha256)).toEqual([`files/${sha256}`]);
    expect((await bytesOf(bucket.store, sha256)).equals(bytes)).toBe(true);
  });
});

it('a mark that a failed removal left an hour ago delays no writer', async () => {
  const bytes = randomBytes(500);
  const mark = `removing/${hashOf(bytes)}.${randomUUID()}`;
  await bucket.home.writeMark(mark, 'left');
  await makeOld(mark);
  expect((await bucket.store.put(sourceOf(bytes))).sha256).toBe(hashOf(bytes));
});

describe('the copies of a node', () => {
  it('of files that another node removed are removed daily', async () => {
    const { sha256 } = await putOld();
    const referenced = await putRandom(bucket.store, 100);
    const other = await bucket.another();
    for (const one of [sha256, referenced.sha256]) await other.store.localPath(one);
    expect(await bucket.home.destroy(sha256, { isReferenced: never, isOld })).toBe('gone');
    await other.home.tidyCopies(async () => new Set([referenced.sha256]));
    await expect(other.store.localPath(sha256)).rejects.toMatchObject({ code: 'missing' });
    const copies = await readdir(path.join(other.home.localFolder, 'files'), { recursive: true });
    expect(copies.filter((name) => name.length > 60)).toEqual([
      `${referenced.sha256.slice(0, 2)}/${referenced.sha256}`,
    ]);
  });
});

describe('a large file in parts', () => {
  const newName = () => ({ taskId: randomUUID(), key: randomUUID() });

  it('continues at another node, and becomes one file', async () => {
    const bytes = randomBytes(900_000);
    const name = newName();
    const drafts = await bucket.home.openDrafts();
    expect(await drafts.sizeOf(name)).toBe(0);
    expect(await drafts.append(name, 0, sourceOf(bytes.subarray(0, 400_000)), 900_000)).toBe(400_000);
    const other = await (await bucket.another()).home.openDrafts();
    expect(await other.sizeOf(name)).toBe(400_000);
    expect(await other.append(name, 400_000, sourceOf(bytes.subarray(400_000)), 500_000)).toBe(900_000);
    expect(await drafts.all()).toContainEqual(name);
    const sha256 = hashOf(bytes);
    expect(await drafts.read(name)).toEqual({ sha256, sizeBytes: 900_000 });
    await drafts.moveIn(name, sha256);
    expect((await bytesOf(bucket.store, sha256)).equals(bytes)).toBe(true);
    expect(await drafts.all()).toEqual([]);
  });

  it('never shrinks when a part that another node received arrives late', async () => {
    const bytes = randomBytes(11_000);
    const name = newName();
    const drafts = await bucket.home.openDrafts();
    const append = (from: number, to: number) =>
      drafts.append(name, from, sourceOf(bytes.subarray(from, to)), bytes.length);
    await append(0, 3_000);
    expect(await append(3_000, 11_000)).toBe(11_000);
    await append(0, 8_000);
    expect(await drafts.sizeOf(name)).toBe(11_000);
    expect(await drafts.read(name)).toEqual({ sha256: hashOf(bytes), sizeBytes: 11_000 });
    await drafts.remove(name);
  });

  it('keeps what arrived before the connection ended', async () => {
    const bytes = randomBytes(200_000);
    const name = newName();
    const drafts = await bucket.home.openDrafts();
    const broken = async function* () {
      yield Buffer.from(bytes.subarray(0, 120_000));
      throw new Error('the connection ended');
    };
    await expect(drafts.append(name, 0, broken(), 200_000)).rejects.toThrow('the connection ended');
    expect(await drafts.sizeOf(name)).toBe(120_000);
    await drafts.append(name, 120_000, sourceOf(bytes.subarray(120_000)), 80_000);
    expect((await drafts.read(name)).sha256).toBe(hashOf(bytes));
    await expect(drafts.append(name, 200_000, sourceOf(randomBytes(20)), 10)).rejects.toMatchObject({
      code: 'too-large',
    });
    await drafts.remove(name);
    expect(await drafts.sizeOf(name)).toBe(0);
    await expect(drafts.read(name)).rejects.toMatchObject({ code: 'missing' });
  });

  it('that two nodes received at once is intact', async () => {
    const bytes = randomBytes(100_000);
    const name = newName();
    const [one, two] = await Promise.all([bucket.home.openDrafts(), (await bucket.another()).home.openDrafts()]);
    await Promise.all([
      one.append(name, 0, sourceOf(bytes.subarray(0, 30_000)), 100_000),
      two.append(name, 0, sourceOf(bytes.subarray(0, 70_000)), 100_000),
    ]);
    expect(await one.sizeOf(name)).toBe(70_000);
    await one.append(name, 70_000, sourceOf(bytes.subarray(70_000)), 30_000);
    expect((await two.read(name)).sha256).toBe(hashOf(bytes));
    await two.remove(name);
  });
});
