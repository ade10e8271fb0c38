import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importSteps } from '../../contract/imports.ts';
import { isSameArchive } from '../../server/imports/same-archive.ts';
import { sweepOrphans } from '../../server/imports/sweep.ts';
import { openDiskStore } from '../../server/storage/disk-store.ts';
import { openPartDrafts } from '../../server/storage/part-drafts.ts';
import { sweepStore } from '../../server/storage/sweep-store.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

const hour = 60 * 60 * 1000;
let folder: string;
let archive: ArchiveUnderTest;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-sweep-'));
  archive = await archiveUnderTest();
});
afterAll(async () => {
  await archive.close();
  await rm(folder, { recursive: true, force: true });
});

const bytes = async function* (text: string) {
  yield Buffer.from(text);
};
const nobody = async () => new Set<string>();
const makeOld = (root: string, sha256: string) => {
  const then = new Date(Date.now() - 2 * hour);
  return utimes(path.join(root, sha256.slice(0, 2), sha256), then, then);
};

test('nodes that begin at the same moment agree that a new database and a new folder are one archive', async () => {
  const mark = {
    name: 'archive-id',
    value: JSON.stringify('given by a node that has not written it into the folder yet'),
  };
  for (let turn = 0; turn < 10; turn++) {
    const root = path.join(folder, `new-${turn}`);
    await openDiskStore(root);
    await archive.db.deleteFrom('seed_state').where('name', '=', mark.name).execute();
    if (turn === 0) await archive.db.insertInto('seed_state').values(mark).execute();
    const said = await Promise.all(Array.from({ length: 8 }, () => isSameArchive(archive.db, root)));
    expect(said).toEqual(Array(8).fill(true));
  }
  const own = path.join(archive.dataFolder, 'files');
  await rm(path.join(own, mark.name), { force: true });
  expect(await isSameArchive(archive.db, own)).toBe(true);
});

test('an old file that nobody names goes; a young one, and one that is named, stay', async () => {
  const root = path.join(folder, 'plain');
  const files = await openDiskStore(root);
  const [orphan, young, named] = await Promise.all(['orphan', 'young', 'named'].map((text) => files.put(bytes(text))));
  if (!orphan || !young || !named) throw new Error('the store lost a file');
  await makeOld(root, orphan.sha256);
  await makeOld(root, named.sha256);
  const namedAmong = async () => new Set([named.sha256]);
  expect(await sweepStore({ root, orphanMs: hour, namedAmong })).toBe(1);
  expect(await files.sizeOf(orphan.sha256)).toBeNull();
  expect(await files.sizeOf(young.sha256)).toBe(5);
  expect(await files.sizeOf(named.sha256)).toBe(5);
});

test('a file that is put again is new again', async () => {
  const root = path.join(folder, 'again');
  const files = await openDiskStore(root);
  const { sha256 } = await files.put(bytes('the same'));
  await makeOld(root, sha256);
  await files.put(bytes('the same'));
  expect(await sweepStore({ root, orphanMs: hour, namedAmong: nobody })).toBe(0);
  expect(await files.sizeOf(sha256)).toBe(8);
});

test('two sweeps and a put of the same bytes at the same moment: what was put is there when its row is', async () => {
  const root = path.join(folder, 'race');
  const files = await openDiskStore(root);
  const other = await openDiskStore(root);
  let removed = 0;
  for (let round = 0; round < 40; round++) {
    const texts = Array.from({ length: 16 }, (_, index) => `file ${round * 16 + index}`);
    const stored = await Promise.all(texts.map((text) => files.put(bytes(text))));
    for (const { sha256 } of stored) await makeOld(root, sha256);
    const named = new Set<string>();
    const sweep = async () => {
      removed += await sweepStore({ root, orphanMs: hour, namedAmong: async () => named });
    };
    const putAndName = async (text: string, index: number) => {
      // Each at another moment of the sweeps.
      for (let turn = 0; turn < index * 12; turn++) await new Promise((resolve) => setImmediate(resolve));
      const { sha256 } = await other.put(bytes(text));
      named.add(sha256);
      expect(await other.sizeOf(sha256)).toBe(text.length);
    };
    await Promise.all([sweep(), sweep(), ...texts.map(putAndName)]);
    for (const { sha256, sizeBytes } of stored) expect(await files.sizeOf(sha256)).toBe(sizeBytes);
  }
  expect(await readdir(path.join(root, 'quarantine'))).toEqual([]);
  // Otherwise the sweeps were never in time, and nothing was tried.
  expect(removed).toBeGreaterThan(0);
});

test('what a sweep held when it was cut off is found by whoever asks for it, and goes back at the next start', async () => {
  const root = path.join(folder, 'cut-off');
  const files = await openDiskStore(root);
  const { sha256 } = await files.put(bytes('held'));
  const { rename } = await import('node:fs/promises');
  const hold = () =>
    rename(path.join(root, sha256.slice(0, 2), sha256), path.join(root, 'quarantine', `${sha256}.${randomUUID()}`));
  await hold();
  expect(await files.sizeOf(sha256)).toBe(4);
  await hold();
  await openDiskStore(root);
  expect(await readdir(path.join(root, 'quarantine'))).toEqual([]);
  expect(await files.sizeOf(sha256)).toBe(4);
});

const sweep = async (keepMs: number) => {
  const root = path.join(archive.dataFolder, 'files');
  const drafts = await openPartDrafts(root);
  return sweepOrphans({ db: archive.db, root, drafts, keeping: { orphanMs: hour, keepMs } });
};
const rest = (id: string, days: number) =>
  archive.db
    .updateTable('import_task')
    .set({ updated_at: new Date(Date.now() - days * 24 * hour) })
    .where('id', '=', id)
    .execute();
const hashesOf = async (id: string) =>
  (await archive.db.selectFrom('import_file').select('sha256').where('task_id', '=', id).execute()).map(
    (row) => row.sha256 ?? '',
  );
const root = () => path.join(archive.dataFolder, 'files');

test('a cancelled import stays for its time, then goes with its files; a finished one keeps its images', async () => {
  const patientId = await archive.addPatient();
  const done = await archive.importAll(patientId, { 'kept.dcm': smallObject({ SOPInstanceUID: '1.2.3.77.1' }) });
  expect(done.step).toBe(importSteps.done);
  const cancelled = await archive.begin(patientId, { 'gone.dcm': smallObject({ SOPInstanceUID: '1.2.3.77.2' }) });
  await archive.post('/resource/ImageImport/cancel', { id: cancelled });
  const [kept = ''] = await hashesOf(done.id);
  const [gone = ''] = await hashesOf(cancelled);
  for (const sha256 of [kept, gone]) await makeOld(root(), sha256);
  await rest(done.id, 30);
  await rest(cancelled, 3);
  expect(await sweep(7 * 24 * hour)).toEqual({ tasks: 0, drafts: 0, files: 0 });
  await rest(cancelled, 8);
  expect(await sweep(7 * 24 * hour)).toEqual({ tasks: 1, drafts: 0, files: 1 });
  expect(await archive.archive.files.sizeOf(gone)).toBeNull();
  expect(await archive.archive.files.sizeOf(kept)).toBeGreaterThan(0);
});

test('the zip of a finished import goes after a while, while its row stays', async () => {
  const patientId = await archive.addPatient({
    customerId: archive.clinics.customerId,
    personalNumber: '19800101-7777',
  });
  const done = await archive.importAll(patientId, {
    'one.dcm': smallObject({ SOPInstanceUID: '1.2.3.77.3', StudyInstanceUID: '1.2.3.78' }),
  });
  const { sha256 } = await archive.archive.files.put(bytes('the bytes of a zip'));
  await archive.db
    .insertInto('import_file')
    .values({
      ...{ id: randomUUID(), task_id: done.id, file_name: 'a.zip', path: 'a.zip', size_bytes: 18 },
      ...{ sha256, status: 'unpacked' },
    })
    .execute();
  await makeOld(root(), sha256);
  expect((await sweep(7 * 24 * hour)).files).toBe(0);
  await rest(done.id, 8);
  expect((await sweep(7 * 24 * hour)).files).toBe(1);
  expect((await hashesOf(done.id)).includes(sha256)).toBe(true);
});

test('the draft of a large file goes when its import takes no more', async () => {
  const patientId = await archive.addPatient({
    customerId: archive.clinics.customerId,
    personalNumber: '19800101-8888',
  });
  const drafts = await openPartDrafts(root());
  const id = await archive.begin(patientId, { 'beside.dcm': smallObject() });
  const draft = { taskId: id, key: randomUUID() };
  await drafts.append(draft, 0, bytes('half of it'), 100);
  await drafts.append({ taskId: randomUUID(), key: randomUUID() }, 0, bytes('of nobody'), 100);
  expect((await sweep(hour)).drafts).toBe(1);
  expect(await drafts.sizeOf(draft)).toBe(10);
  await archive.post('/resource/ImageImport/cancel', { id });
  expect((await sweep(hour)).drafts).toBe(1);
  expect(await drafts.sizeOf(draft)).toBe(0);
});

test('a file that no store has written is left alone', async () => {
  const store = path.join(folder, 'foreign');
  await openDiskStore(store);
  const file = path.join(store, '00', 'README');
  await writeFile(file, 'mine');
  await utimes(file, new Date(0), new Date(0));
  expect(await sweepStore({ root: store, orphanMs: 0, namedAmong: nobody })).toBe(0);
  expect(await readdir(path.dirname(file))).toEqual(['README']);
});

test('a database that is new, or another one, never sweeps the files of an archive', async () => {
  const patientId = await archive.addPatient({
    customerId: archive.clinics.customerId,
    personalNumber: '19810101-1235',
  });
  const done = await archive.importAll(patientId, {
    'kept.dcm': smallObject({ SOPInstanceUID: '2.25.6161', StudyInstanceUID: '2.25.6160' }),
  });
  expect(done).toMatchObject({ step: importSteps.done, error: false });
  const root = path.join(archive.dataFolder, 'files');
  const drafts = await openPartDrafts(root);
  const keeping = { orphanMs: -1, keepMs: hour };
  await sweepOrphans({ db: archive.db, root, drafts, keeping });

  const other = await archiveUnderTest();
  try {
    await expect(sweepOrphans({ db: other.db, root, drafts, keeping })).rejects.toThrow('another database');
    // Also a folder that no database has marked yet.
    await rm(path.join(root, 'archive-id'));
    await expect(sweepOrphans({ db: other.db, root, drafts, keeping })).rejects.toThrow('another database');
    await other.importAll(await other.addPatient(), { 'own.dcm': smallObject({ SOPInstanceUID: '2.25.6162' }) });
    await expect(sweepOrphans({ db: other.db, root, drafts, keeping })).rejects.toThrow('another database');
  } finally {
    await other.close();
  }
  const [image] = await archive.db.selectFrom('image').select('sha256').execute();
  expect(await archive.archive.files.sizeOf(image?.sha256 ?? '')).not.toBeNull();
  // Its own database knows it again.
  await sweepOrphans({ db: archive.db, root, drafts, keeping });
  expect(await archive.archive.files.sizeOf(image?.sha256 ?? '')).not.toBeNull();
});
