import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBlocks } from '../../server/storage/blocks.ts';
import { openDiskStore } from '../../server/storage/disk-store.ts';
import { freeChunk } from '../../server/storage/free-chunk.ts';
import { asStorageError } from '../../server/storage/storage-error.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'dentarium-store-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const chunks = async function* (...parts: readonly Uint8Array[]) {
  yield* parts;
};
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const temporaryFiles = (folder: string) => readdir(path.join(folder, 'temporary'));

test('returns bytes in full and by range, and stores equal bytes once', async () => {
  const files = await openDiskStore(path.join(root, 'a'));
  const big = Buffer.alloc(3 << 20, 7);
  const small = Buffer.from('the end');
  const whole = Buffer.concat([big, small]);
  const stored = await files.put(chunks(big, small));
  expect(stored).toEqual({ sha256: hashOf(whole), sizeBytes: whole.length });
  expect(await files.put(chunks(whole))).toEqual(stored);
  const read = async (range?: { first: number; last: number }) =>
    Buffer.concat(await (await files.openRange(stored.sha256, range)).toArray());
  expect((await read()).equals(whole)).toBe(true);
  expect((await read({ first: big.length, last: whole.length - 1 })).toString()).toBe('the end');
  expect(await files.sizeOf(stored.sha256)).toBe(whole.length);
  expect(await temporaryFiles(path.join(root, 'a'))).toEqual([]);
});

test('leaves nothing behind of a source that is too large or interrupted', async () => {
  const files = await openDiskStore(path.join(root, 'b'));
  await expect(files.put(chunks(Buffer.alloc(10), Buffer.alloc(1)), 10)).rejects.toMatchObject({ code: 'too-large' });
  const breaking = async function* () {
    yield Buffer.from('half');
    throw new Error('the sender disconnected');
  };
  await expect(files.put(breaking())).rejects.toThrow('the sender disconnected');
  expect(await temporaryFiles(path.join(root, 'b'))).toEqual([]);
  expect(await files.sizeOf(hashOf(Buffer.from('half')))).toBeNull();
});

test('reports a missing file, and no name resolves outside the folder', async () => {
  const files = await openDiskStore(path.join(root, 'c'));
  await expect(files.openRange('0'.repeat(64))).rejects.toMatchObject({ code: 'missing' });
  await expect(files.localPath('../../etc/passwd')).rejects.toMatchObject({ code: 'missing' });
});

test('replaces a truncated stored file by the complete one', async () => {
  const files = await openDiskStore(path.join(root, 'd'));
  const stored = await files.put(chunks(Buffer.from('all of it')));
  await writeFile(await files.localPath(stored.sha256), 'all');
  await files.put(chunks(Buffer.from('all of it')));
  expect(await files.sizeOf(stored.sha256)).toBe(9);
});

test('removes temporary files of dead writers at start, and keeps those of running ones', async () => {
  const folder = path.join(root, 'e');
  await mkdir(path.join(folder, 'temporary'), { recursive: true });
  const host = os.hostname().replaceAll('.', '-') || 'host';
  // No process has an id above the kernel's limit of 2^22.
  await writeFile(path.join(folder, 'temporary', `${host}.${2 ** 22 + 1}.dead`), 'x');
  await writeFile(path.join(folder, 'temporary', `${host}.${process.ppid}.alive`), 'x');
  await writeFile(path.join(folder, 'temporary', 'another-node.77.writing'), 'x');
  await openDiskStore(folder);
  expect((await temporaryFiles(folder)).sort()).toEqual(
    [`${host}.${process.ppid}.alive`, 'another-node.77.writing'].sort(),
  );
});

test('reports a folder that cannot be created', async () => {
  await writeFile(path.join(root, 'file'), '');
  await expect(openDiskStore(path.join(root, 'file', 'store'))).rejects.toMatchObject({
    name: 'StorageError',
    message: expect.stringContaining(path.join(root, 'file', 'store')),
  });
});

test.each([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EACCES', 'unwritable'],
  ['EROFS', 'unwritable'],
  ['EIO', 'failed'],
])('the file system error %s is reported as %s', (code, meaning) => {
  const error = Object.assign(new Error(code), { code, syscall: 'write' });
  expect(asStorageError(error, '/data')).toMatchObject({ name: 'StorageError', code: meaning });
});

test('reports a full disk, and stores no partial file', async () => {
  // Every write to this device fails with ENOSPC.
  const { open } = await import('node:fs/promises');
  const { writeHashed } = await import('../../server/storage/write-hashed.ts');
  const device = await open('/dev/full', 'w');
  try {
    const writing = writeHashed(device, chunks(Buffer.alloc(4 << 20)), Number.POSITIVE_INFINITY);
    await expect(writing.catch((error: unknown) => Promise.reject(asStorageError(error, root)))).rejects.toMatchObject({
      code: 'full',
    });
  } finally {
    await device.close();
  }
});

test('serves requests in order when all memory blocks are in use', async () => {
  const blocks = createBlocks(2, 8);
  const [one, two] = [await blocks.take(), await blocks.take()];
  const served: string[] = [];
  const third = Promise.resolve(blocks.take()).then((block) => served.push(`third ${block}`));
  const fourth = Promise.resolve(blocks.take()).then((block) => served.push(`fourth ${block}`));
  await new Promise((resolve) => setImmediate(resolve));
  expect(served).toEqual([]);
  blocks.giveBack(two);
  blocks.giveBack(one);
  await Promise.all([third, fourth]);
  expect(served).toEqual([`third ${two}`, `fourth ${one}`]);
});

test('writes eight concurrent uploads of twice the shared memory completely', async () => {
  const files = await openDiskStore(path.join(root, 'many'));
  const stored = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const chunk = Buffer.alloc(1 << 16, index + 1);
      const source = async function* () {
        for (let at = 0; at < 128; at++) yield chunk;
      };
      return files.put(source());
    }),
  );
  for (const [index, { sha256, sizeBytes }] of stored.entries()) {
    expect(sizeBytes).toBe(128 << 16);
    expect(sha256).toBe(hashOf(Buffer.alloc(128 << 16, index + 1)));
  }
});

test("frees a chunk's memory only when the chunk is the whole buffer", () => {
  const whole = new Uint8Array(16);
  const slice = new Uint8Array(16).subarray(4);
  freeChunk(whole);
  freeChunk(slice);
  expect([whole.byteLength, slice.byteLength]).toEqual([0, 12]);
});
