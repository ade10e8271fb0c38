import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { folderWarnings } from '../../server/archive-folder/folder-warnings.ts';
import { openArchiveFolder } from '../../server/archive-folder/open-folder.ts';
import { openBucketHome } from '../../server/storage/bucket/bucket-home.ts';
import type { FilesHome } from '../../server/storage/files-home.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { briefTimes, bucketConfigOf } from './bucket-under-test.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type ObjectStoreProcess, startObjectStore } from './object-store-process.ts';
import { smallObject } from './small-object.ts';

let store: ObjectStoreProcess;
let database: TestDatabase;
let dataFolder: string;
let home: FilesHome;
let archive: ArchiveUnderTest;
let patientId: string;

beforeAll(async () => {
  store = await startObjectStore();
  database = await testDatabase();
  dataFolder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-bucket-outage-'));
  const clinics = await addTwoClinics(database.db);
  home = await openBucketHome(bucketConfigOf(store), path.join(dataFolder, 'cache'), briefTimes);
  const filesFolder = await openArchiveFolder(database.db, home);
  archive = await archiveUnderTest({ filesFolder, folderWatchMs: 200 }, { database, dataFolder, clinics });
  patientId = await archive.addPatient();
});
afterAll(async () => {
  await archive?.stop();
  home?.close();
  await database?.close();
  await store?.close();
  await rm(dataFolder, { recursive: true, force: true });
});

const objectOf = (number: number) =>
  smallObject({ SOPInstanceUID: `2.25.55${number}`, StudyInstanceUID: `2.25.44${number}` });

const warned = async (): Promise<string[]> =>
  (await folderWarnings(database.db, archive.archive.folder)()).flatMap((warning) =>
    warning.kind === 'files-folder-unavailable' ? [warning.reason] : [],
  );

/** Sends one file and returns status and problem code. */
const send = async (number: number) => {
  const begun = await archive.post('/resource/ImageImport', {
    patientId,
    kind: 'dicom',
    name: 'x',
    totalFilesCount: 1,
  });
  const { id } = await begun.json();
  const form = new FormData();
  form.append('id', id);
  form.append('path', 'one.dcm');
  form.append('files', new Blob([Uint8Array.from(objectOf(number))]), 'one.dcm');
  const reply = await archive.call('/resource/ImageImport/batch', { method: 'POST', body: form });
  return { status: reply.status, code: (await reply.json()).code };
};

const imageUid = async (): Promise<string> =>
  (await database.db.selectFrom('image').select('id').executeTakeFirstOrThrow()).id;
const original = async () => (await archive.call(`/resource/viewset/get_image?imageUID=${await imageUid()}`)).status;

it('imports to the bucket, and says what is wrong with it while users see that files are unavailable', async () => {
  const imported = await archive.importAll(patientId, { 'one.dcm': objectOf(1) });
  expect(imported.files.map(({ status }) => status)).toEqual(['imported']);
  expect((await store.objects()).filter((key) => key.startsWith('files/'))).toHaveLength(1);
  expect(await warned()).toEqual([]);

  await store.setMode('full');
  expect(await send(2)).toEqual({ status: 507, code: 'storage-full' });
  await expect.poll(warned, { timeout: 20_000 }).toEqual(['store-full']);
  expect(await original()).toBe(200);

  await store.setMode('silent');
  await expect.poll(warned, { timeout: 30_000 }).toContain('store-slow');
  expect(await send(3)).toEqual({ status: 503, code: 'storage-unavailable' });

  await store.setMode('');
  await store.kill();
  await expect.poll(warned, { timeout: 30_000 }).toContain('store-gone');
  expect(await send(4)).toEqual({ status: 503, code: 'storage-unavailable' });
  expect((await archive.call('/health/ready')).status).toBe(503);

  await store.start();
  await expect.poll(() => archive.archive.folder.isAvailable(), { timeout: 30_000 }).toBe(true);
  expect(await send(5)).toMatchObject({ status: 200 });
  expect(await warned()).toEqual([]);
  expect(await original()).toBe(200);
}, 180_000);

it('does not take a bucket that lost its objects for its own', async () => {
  const other = await openBucketHome(bucketConfigOf(store), path.join(dataFolder, 'other-cache'), briefTimes);
  await other.removeMark('archive-id');
  await expect.poll(warned, { timeout: 30_000 }).toEqual(['bucket-foreign']);
  await expect(openArchiveFolder(database.db, other)).rejects.toThrow(/does not belong to this database/);
  other.close();
}, 60_000);
