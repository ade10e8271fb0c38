import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDerivedCache } from '../../server/resource/derived-cache.ts';
import { shareCache } from '../../server/resource/shared-cache.ts';
import { type BucketUnderTest, briefTimes, hashOf, openBucketUnderTest } from './bucket-under-test.ts';

let bucket: BucketUnderTest;
let folder: string;
beforeAll(async () => {
  bucket = await openBucketUnderTest(briefTimes);
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-derived-'));
});
afterAll(async () => {
  await bucket?.close();
  await rm(folder, { recursive: true, force: true });
});

let nodes = 0;
const newNode = () => {
  nodes += 1;
  const shared = bucket.home.derived('thumbnails');
  if (!shared) throw new Error('a bucket shares derived files');
  const root = path.join(folder, `node-${nodes}`);
  return { root, cache: shareCache(openDerivedCache(root), shared) };
};
const newName = () => `${hashOf(randomBytes(8))}-1.jpg`;
const derived = async () => (await bucket.process.objects()).filter((key) => key.startsWith('derived/'));

it('what one node has made is read by another, which keeps a copy', async () => {
  const [one, two] = [newNode(), newNode()];
  const [name, bytes] = [newName(), randomBytes(5000)];
  await one.cache.write(name, bytes);
  await expect.poll(() => two.cache.has(name)).toBe(true);
  expect((await two.cache.read(name))?.equals(bytes)).toBe(true);
  await bucket.process.kill();
  expect((await two.cache.read(name))?.equals(bytes)).toBe(true);
  // A store that is gone means that the file is made again.
  expect(await two.cache.read(newName())).toBeNull();
  expect(await two.cache.has(newName())).toBe(false);
  await bucket.process.start();
});

it('a damaged object is not shown', async () => {
  const [one, two] = [newNode(), newNode()];
  const name = newName();
  await one.cache.write(name, randomBytes(100));
  await expect.poll(() => two.cache.has(name)).toBe(true);
  const { folder: root, config } = bucket.process;
  const file = path.join(root, config.bucket, 'derived', 'thumbnails', `${name}._S3rver_object`);
  const bytes = await readFile(file);
  bytes.writeUInt8(bytes.readUInt8(10) ^ 1, 10);
  await writeFile(file, bytes);
  expect(await two.cache.read(name)).toBeNull();
});

it('is removed here and in the bucket, also while it is uploaded', async () => {
  const one = newNode();
  const name = newName();
  await one.cache.write(name, randomBytes(100_000));
  await one.cache.remove(name.slice(0, 65));
  expect((await derived()).filter((key) => key.includes(name))).toEqual([]);
  expect((await readdir(one.root, { recursive: true })).filter((file) => file.includes(name))).toEqual([]);
});

it('is removed by the sweep when no record has the file that it was made from', async () => {
  const one = newNode();
  const [kept, left] = [newName(), newName()];
  for (const name of [kept, left]) {
    await one.cache.write(name, randomBytes(100));
    await expect.poll(() => newNode().cache.has(name)).toBe(true);
  }
  await bucket.home.removeLeftovers(async () => new Set([kept.slice(0, 64)]));
  expect((await derived()).filter((key) => key.includes(kept) || key.includes(left))).toEqual([
    `derived/thumbnails/${kept}`,
  ]);
});
