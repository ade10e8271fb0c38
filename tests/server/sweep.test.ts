import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importSteps } from '../../contract/imports.ts';
import { matchFolder, openArchiveFolder } from '../../server/archive-folder/open-folder.ts';
import { sweepOrphans } from '../../server/imports/sweep.ts';
import { openDiskStore } from '../../server/storage/disk-store.ts';
import { openPartDrafts } from '../../server/storage/part-drafts.ts';
import { sweepStore } from '../../server/storage/sweep-store.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { testDatabase } from './database.ts';
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
const today = () => new Date().toISOString().slice(0, 10);
const isStored = (root: string, sha256: string) => existsSync(path.join(root, sha256.slice(0, 2), sha256));
const inQuarantine = (root: string, sha256: string) => existsSync(path.join(root, 'quarantine', today(), sha256));
const noReferences = async () => new Set<string>();
const makeOld = (root: string, sha256: string) => {
  const then = new Date(Date.now() - 2 * hour);
  return utimes(path.join(root, sha256.slice(0, 2), sha256), then, then);
};

test('nodes that start at the same moment agree that a new database and a new folder are one archive', async () => {
  const own = await testDatabase();
  const mark = {
    name: 'archive-id',
    value: JSON.stringify('given by a node that has not written it into the folder yet'),
  };
  try {
    for (let run = 0; run < 10; run++) {
      const root = path.join(folder, `new-${run}`);
      await own.db.deleteFrom('seed_state').where('name', '=', mark.name).execute();
      await own.db.updateTable('archive_files').set({ generation: 0, confirmed: 0 }).execute();
      if (run === 0) await own.db.insertInto('seed_state').values(mark).execute();
      await Promise.all(Array.from({ length: 8 }, () => openArchiveFolder(own.db, root)));
      expect(await matchFolder(own.db, root)).toEqual({ kind: 'same' });
      // Another folder is too late.
      await expect(openArchiveFolder(own.db, path.join(folder, `late-${run}`))).rejects.toThrow('does not exist');
    }
  } finally {
    await own.close();
  }
});

test('quarantines an old file without a row, and keeps young and referenced files', async () => {
  const root = path.join(folder, 'plain');
  const files = await openDiskStore(root);
  const [orphan, young, named] = await Promise.all(['orphan', 'young', 'named'].map((text) => files.put(bytes(text))));
  if (!orphan || !young || !named) throw new Error('the store lost a file');
  await makeOld(root, orphan.sha256);
  await makeOld(root, named.sha256);
  const referencedAmong = async () => new Set([named.sha256]);
  expect(await sweepStore({ root, orphanMs: hour, referencedAmong })).toEqual({ files: 1, bytes: 6 });
  expect(isStored(root, orphan.sha256)).toBe(false);
  expect(inQuarantine(root, orphan.sha256)).toBe(true);
  expect(await files.sizeOf(young.sha256)).toBe(5);
  expect(await files.sizeOf(named.sha256)).toBe(5);
});

test('treats a file as new when it is stored again', async () => {
  const root = path.join(folder, 'again');
  const files = await openDiskStore(root);
  const { sha256 } = await files.put(bytes('the same'));
  await makeOld(root, sha256);
  await files.put(bytes('the same'));
  expect((await sweepStore({ root, orphanMs: hour, referencedAmong: noReferences })).files).toBe(0);
  expect(await files.sizeOf(sha256)).toBe(8);
});

test('with two sweeps and a write of the same bytes at once, the written file exists when its row does', async () => {
  const root = path.join(folder, 'race');
  const files = await openDiskStore(root);
  const other = await openDiskStore(root);
  let removed = 0;
  for (let attempt = 0; attempt < 40; attempt++) {
    const texts = Array.from({ length: 16 }, (_, index) => `file ${attempt * 16 + index}`);
    const stored = await Promise.all(texts.map((text) => files.put(bytes(text))));
    for (const { sha256 } of stored) await makeOld(root, sha256);
    const named = new Set<string>();
    const sweep = async () => {
      removed += (await sweepStore({ root, orphanMs: hour, referencedAmong: async () => named })).files;
    };
    const putAndName = async (text: string, index: number) => {
      // Each at another moment of the sweeps.
      for (let tick = 0; tick < index * 12; tick++) await new Promise((resolve) => setImmediate(resolve));
      const { sha256 } = await other.put(bytes(text));
      named.add(sha256);
      expect(await other.sizeOf(sha256)).toBe(text.length);
    };
    await Promise.all([sweep(), sweep(), ...texts.map(putAndName)]);
    for (const { sha256, sizeBytes } of stored) expect(await files.sizeOf(sha256)).toBe(sizeBytes);
  }
  expect((await readdir(path.join(root, 'quarantine'))).filter((name) => name !== today())).toEqual([]);
  // Otherwise the sweeps never overlapped with a write, and the test proved nothing.
  expect(removed).toBeGreaterThan(0);
});

test('a file held by an interrupted sweep is found when read, and restored at the next start', async () => {
  const root = path.join(folder, 'cut-off');
  const files = await openDiskStore(root);
  const { sha256 } = await files.put(bytes('held'));
  const quarantine = () =>
    rename(path.join(root, sha256.slice(0, 2), sha256), path.join(root, 'quarantine', `${sha256}.${randomUUID()}`));
  await quarantine();
  expect(await files.sizeOf(sha256)).toBe(4);
  await quarantine();
  await openDiskStore(root);
  expect(await readdir(path.join(root, 'quarantine'))).toEqual([]);
  expect(await files.sizeOf(sha256)).toBe(4);
});

const sweep = async (keepMs: number) => {
  const root = path.join(archive.dataFolder, 'files');
  const drafts = await openPartDrafts(root);
  return sweepOrphans({ db: archive.db, root, drafts, retention: { orphanMs: hour, keepMs, quarantineDays: 30 } });
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

test('deletes a cancelled import and its files after the retention period; a finished one keeps its images', async () => {
  const patientId = await archive.addPatient();
  const done = await archive.importAll(patientId, { 'done.dcm': smallObject({ SOPInstanceUID: '1.2.3.77.1' }) });
  expect(done.step).toBe(importSteps.done);
  const cancelled = await archive.begin(patientId, { 'gone.dcm': smallObject({ SOPInstanceUID: '1.2.3.77.2' }) });
  // A file that is still being read would be restored from quarantine.
  await expect.poll(async () => (await archive.task(cancelled)).files[0]?.status).toBe('parsed');
  await archive.post('/resource/ImageImport/cancel', { id: cancelled });
  const [kept = ''] = await hashesOf(done.id);
  const [gone = ''] = await hashesOf(cancelled);
  for (const sha256 of [kept, gone]) await makeOld(root(), sha256);
  await rest(done.id, 30);
  await rest(cancelled, 3);
  expect(await sweep(7 * 24 * hour)).toMatchObject({ tasks: 0, drafts: 0, files: 0 });
  await rest(cancelled, 8);
  expect(await sweep(7 * 24 * hour)).toMatchObject({ tasks: 1, drafts: 0, files: 1 });
  expect(isStored(root(), gone)).toBe(false);
  expect(inQuarantine(root(), gone)).toBe(true);
  expect(await archive.archive.files.sizeOf(kept)).toBeGreaterThan(0);
});

test('leaves files that are to be destroyed: a copy in quarantine would outlive them', async () => {
  const { sha256 } = await archive.archive.files.put(bytes('to be destroyed'));
  await makeOld(root(), sha256);
  const { customerId, adminId } = archive.clinics;
  const orderId = randomUUID();
  await archive.db
    .insertInto('destruction_order')
    .values({
      id: orderId,
      customer_id: customerId,
      kind: 'image',
      subject_id: randomUUID(),
      patient_id: null,
      basis: 'authority',
      reference: '1',
      reason: 'test',
      state: 'destroying',
      proposed_by: adminId,
      decided_by: null,
      decided_at: null,
      due_at: null,
      ended_by: null,
      ended_at: null,
    })
    .execute();
  await archive.db.insertInto('destruction_file').values({ order_id: orderId, sha256 }).execute();
  await sweep(hour);
  expect(isStored(root(), sha256)).toBe(true);
  await archive.db.deleteFrom('destruction_file').execute();
  await archive.db.deleteFrom('destruction_order').execute();
  await sweep(hour);
  expect(inQuarantine(root(), sha256)).toBe(true);
});

test('removes the zip of a finished import after a while, and keeps its row', async () => {
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
      id: randomUUID(),
      task_id: done.id,
      file_name: 'a.zip',
      path: 'a.zip',
      size_bytes: 18,
      sha256,
      status: 'unpacked',
    })
    .execute();
  await makeOld(root(), sha256);
  expect((await sweep(7 * 24 * hour)).files).toBe(0);
  await rest(done.id, 8);
  expect((await sweep(7 * 24 * hour)).files).toBe(1);
  expect((await hashesOf(done.id)).includes(sha256)).toBe(true);
});

test('removes the draft of a large file when its import accepts no more', async () => {
  const patientId = await archive.addPatient({
    customerId: archive.clinics.customerId,
    personalNumber: '19800101-8888',
  });
  const drafts = await openPartDrafts(root());
  const id = await archive.begin(patientId, { 'beside.dcm': smallObject() });
  const draft = { taskId: id, key: randomUUID() };
  await drafts.append(draft, 0, bytes('half of it'), 100);
  await drafts.append({ taskId: randomUUID(), key: randomUUID() }, 0, bytes('unowned'), 100);
  expect((await sweep(hour)).drafts).toBe(1);
  expect(await drafts.sizeOf(draft)).toBe(10);
  await archive.post('/resource/ImageImport/cancel', { id });
  expect((await sweep(hour)).drafts).toBe(1);
  expect(await drafts.sizeOf(draft)).toBe(0);
});

test('ignores a file that no store has written', async () => {
  const store = path.join(folder, 'foreign');
  await openDiskStore(store);
  const file = path.join(store, '00', 'README');
  await writeFile(file, 'mine');
  await utimes(file, new Date(0), new Date(0));
  expect((await sweepStore({ root: store, orphanMs: 0, referencedAmong: noReferences })).files).toBe(0);
  expect(await readdir(path.dirname(file))).toEqual(['README']);
});

test('never sweeps the files of an archive with a new or different database', async () => {
  const patientId = await archive.addPatient({
    customerId: archive.clinics.customerId,
    personalNumber: '19810101-1235',
  });
  const done = await archive.importAll(patientId, {
    'done.dcm': smallObject({ SOPInstanceUID: '2.25.6161', StudyInstanceUID: '2.25.6160' }),
  });
  expect(done).toMatchObject({ step: importSteps.done, error: false });
  const root = path.join(archive.dataFolder, 'files');
  const drafts = await openPartDrafts(root);
  const retention = { orphanMs: -1, keepMs: hour, quarantineDays: 30 };
  await sweepOrphans({ db: archive.db, root, drafts, retention: retention });

  const other = await archiveUnderTest();
  try {
    const sweepAsOther = () => sweepOrphans({ db: other.db, root, drafts, retention: retention });
    await expect(sweepAsOther()).rejects.toThrow('belongs to another database');
    // Nor a folder without an archive id.
    await rename(path.join(root, 'archive-id'), path.join(folder, 'archive-id'));
    await expect(sweepAsOther()).rejects.toThrow('does not belong to this database');
    await other.importAll(await other.addPatient(), { 'own.dcm': smallObject({ SOPInstanceUID: '2.25.6162' }) });
    await expect(sweepAsOther()).rejects.toThrow('does not belong to this database');
    await rename(path.join(folder, 'archive-id'), path.join(root, 'archive-id'));
  } finally {
    await other.close();
  }
  const [image] = await archive.db.selectFrom('image').select('sha256').execute();
  expect(await archive.archive.files.sizeOf(image?.sha256 ?? '')).not.toBeNull();
  // Its own database recognizes it again.
  await sweepOrphans({ db: archive.db, root, drafts, retention: retention });
  expect(await archive.archive.files.sizeOf(image?.sha256 ?? '')).not.toBeNull();
});
