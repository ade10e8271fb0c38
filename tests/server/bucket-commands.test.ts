import { mkdir, mkdtemp, rm, truncate } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { moveFiles } from '../../server/archive-command/move-files.ts';
import { openDiskStore } from '../../server/storage/disk-store.ts';
import { homeOf } from '../../server/storage/home-of.ts';
import { archiveCommand } from './archive-command.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { bucketEnvironment } from './bucket-under-test.ts';
import { runToEnd, startChild } from './child-server.ts';
import { testDatabase, urlOf } from './database.ts';
import { type ObjectStoreProcess, startObjectStore } from './object-store-process.ts';
import { smallObject } from './small-object.ts';

const object = (number: number) =>
  smallObject({ SOPInstanceUID: `2.25.66${number}`, StudyInstanceUID: `2.25.77${number}` });

let archive: ArchiveUnderTest;
let store: ObjectStoreProcess;
let environment: Record<string, string>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-bucket-commands-'));
  store = await startObjectStore();
  archive = await archiveUnderTest();
  await archive.importAll(await archive.addPatient(), {
    'one.dcm': object(1),
    'two.dcm': object(2),
    'three.dcm': object(3),
  });
  await archive.stop();
  environment = {
    ...bucketEnvironment(store),
    DENTARIUM_STORE: 'disk',
    DENTARIUM_DATA: archive.dataFolder,
    DATABASE_URL: urlOf(archive.database.address),
    DENTARIUM_PUBLIC_URL: 'https://archive.example',
  };
});
afterAll(async () => {
  await archive?.remove();
  await store?.close();
  await rm(folder, { recursive: true, force: true });
});

const inBucket = () => ({ ...environment, DENTARIUM_STORE: 's3' });
const json = async (args: readonly string[], settings: Record<string, string>) => {
  const { code, stdout, stderr } = await archiveCommand([...args, '--json'], settings);
  return { code, stderr, result: stdout === '' ? null : JSON.parse(stdout) };
};
const startError = async (settings: Record<string, string>) => {
  const { code, lines } = await runToEnd(['--port', '0', '--empty'], { ...inBucket(), ...settings });
  expect(code).toBe(1);
  return lines.join('\n');
};

it('moves an archive to a bucket, where verify, quarantine, backup and restore work, and back', async () => {
  // An empty bucket is not taken for the archive's.
  expect(await startError({})).toMatch(/The bucket .* is empty, but the database holds an archive/);
  const moved = await json(['move-files', '--to', 'bucket'], environment);
  expect([moved.code, moved.result], moved.stderr).toMatchObject([0, { files: 3, copied: 3, present: 0, damaged: [] }]);
  const again = await json(['move-files', '--to', 'bucket'], environment);
  expect(again.result).toMatchObject({ copied: 0, present: 3 });

  const child = await startChild(archive.dataFolder, [], inBucket());
  expect(await child.stop('SIGTERM')).toBe(0);
  // The folder is the older copy from now on.
  const onDisk = await runToEnd(['--port', '0', '--empty'], environment);
  expect(onDisk.lines.join('\n')).toMatch(/is an older copy than the database/);
  const backwards = await json(['move-files', '--to', 'bucket'], environment);
  expect([backwards.code, backwards.stderr]).toEqual([1, expect.stringContaining('is newer than')]);

  const verified = await json(['verify', '--full'], inBucket());
  expect([verified.code, verified.result]).toMatchObject([0, { files: 3, compared: 'every byte', faults: [] }]);
  const listed = await json(['quarantine', 'list'], inBucket());
  expect([listed.code, listed.result]).toMatchObject([0, { state: 'same', withoutRecord: { files: 0 } }]);

  const to = path.join(folder, 'backups');
  await mkdir(to);
  const backup = await json(['backup', '--to', to], inBucket());
  expect([backup.code, backup.result], backup.stderr).toMatchObject([0, { files: 3, absent: [] }]);
  const other = await startObjectStore();
  const target = await testDatabase();
  try {
    const restored = await json(['restore', '--from', to], {
      ...inBucket(),
      ...bucketEnvironment(other),
      DENTARIUM_DATA: path.join(folder, 'restored'),
      DATABASE_URL: urlOf(target.address),
    });
    expect([restored.code, restored.result], restored.stderr).toMatchObject([0, { files: 3, absent: [] }]);
    expect((await other.objects()).filter((key) => key.startsWith('files/'))).toHaveLength(3);
  } finally {
    await target.close();
    await other.close();
  }

  const back = await json(['move-files', '--to', 'disk'], inBucket());
  expect([back.code, back.result], back.stderr).toMatchObject([0, { present: 3 }]);
  const again2 = await startChild(archive.dataFolder, [], environment);
  expect(await again2.stop('SIGTERM')).toBe(0);
}, 300_000);

it('names what is wrong with the store at the start', async () => {
  const settings = { ...inBucket(), DENTARIUM_STORE_BUCKET: '' };
  const missing = await runToEnd(['--port', '0'], settings);
  expect(missing.lines.join('\n')).toContain('Setting DENTARIUM_STORE_BUCKET: is missing');
  expect(await startError({ DENTARIUM_STORE_SECRET_ACCESS_KEY: 'wrong' })).toMatch(/refuses access to the bucket/);
  expect(await startError({ DENTARIUM_STORE_BUCKET: 'no-such-bucket' })).toMatch(
    /The bucket no-such-bucket .* does not exist/,
  );
  expect(await startError({ DENTARIUM_STORE_ENDPOINT: 'http://127.0.0.1:9' })).toMatch(/does not answer/);
}, 120_000);

it('leaves a damaged file out of a move and names it, and continues after an interruption', async () => {
  const [from, to] = [homeOf(path.join(folder, 'from')), homeOf(path.join(folder, 'to'))];
  const source = await openDiskStore(from.name);
  const hashes: string[] = [];
  for (let index = 0; index < 20; index += 1) {
    const bytes = object(100 + index);
    const put = await source.put(
      (async function* () {
        yield bytes;
      })(),
    );
    hashes.push(put.sha256);
  }
  await from.writeMark('archive-id', 'moved-archive');
  const [broken = ''] = hashes;
  await truncate(await source.localPath(broken), 5);
  const stopping = new AbortController();
  const onProgress = (done: number) => {
    if (done === 5) stopping.abort(new Error('stopped'));
  };
  await expect(moveFiles({ from, to, onProgress, signal: stopping.signal })).rejects.toThrow('stopped');
  expect(await to.readMark('archive-id')).toBeNull();
  const result = await moveFiles({ from, to, onProgress: () => undefined, signal: new AbortController().signal });
  expect(result.damaged).toEqual([broken]);
  expect(result.present).toBeGreaterThan(0);
  expect(result.copied + result.present).toBe(19);
  expect(await to.readMark('archive-id')).toBe('moved-archive');
});
