import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDerivedCache } from '../../server/resource/derived-cache.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'dentarium-cache-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const storedKeys = async () =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test('returns written files and null for others', async () => {
  const cache = openDerivedCache(root);
  await cache.write('ab-1', Uint8Array.of(1, 2, 3));
  expect([...((await cache.read('ab-1')) ?? [])]).toEqual([1, 2, 3]);
  expect(await cache.read('ab-2')).toBeNull();
});

test('removes what was derived from files that no row references', async () => {
  const cache = openDerivedCache(root);
  const [kept, gone] = ['a'.repeat(64), 'b'.repeat(64)];
  for (const name of [`${kept}-1`, `${gone}-1`, `${gone}-2`]) await cache.write(name, Uint8Array.of(1));
  await cache.removeUnnamed(async (hashes) => new Set(hashes.filter((hash) => hash === kept)));
  expect(await storedKeys()).toEqual([`${kept}-1`]);
});

test('evicts the least recently used file when full, also after a restart', async () => {
  const limit = 10_000;
  const put = async (name: string, usedAt: number) => {
    await openDerivedCache(root, limit).write(name, new Uint8Array(3000));
    await utimes(path.join(root, name.slice(0, 2), name), usedAt, usedAt);
  };
  await put('aa', 1000);
  await put('bb', 500);
  await put('cc', 2000);
  expect((await storedKeys()).sort()).toEqual(['aa', 'bb', 'cc']);
  // Reading makes the oldest file the most recently used.
  expect(await openDerivedCache(root, limit).read('bb')).not.toBeNull();
  await put('dd', 3000);
  expect((await storedKeys()).sort()).toEqual(['bb', 'dd']);
});
