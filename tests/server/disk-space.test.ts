import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDiskSpace, defaultReserve, readSpace, type Space } from '../../server/storage/disk-space.ts';
import { StorageError } from '../../server/storage/file-store.ts';
import { diskWarnings } from '../../server/system-status/disk-warnings.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

const gigabyte = 2 ** 30;
let space: Space = { freeBytes: 100 * gigabyte, totalBytes: 200 * gigabyte };
const fill = (freeBytes: number) => {
  space = { ...space, freeBytes };
};

let archive: ArchiveUnderTest;
let patientId: string;
beforeAll(async () => {
  archive = await archiveUnderTest({ readFolderSpace: async () => space, leaseSeconds: 0.3 });
  patientId = await archive.addPatient();
});
afterAll(() => archive.close());

const object = (number: number) =>
  smallObject({ SOPInstanceUID: `2.25.77${number}`, StudyInstanceUID: '2.25.7700', InstanceNumber: number });
const full = [507, '2', { code: 'storage-full' }];
const answerOf = async (reply: Response) => [reply.status, reply.headers.get('retry-after'), await reply.json()];

test('a full disk stops every route of an import, which goes on by itself; reading goes on', async () => {
  const done = await archive.begin(patientId, { 'one.dcm': object(1) });
  await archive.post('/resource/ImageImport/dicom/parse', { id: done });
  await archive.waitForStep(done, 3);
  const id = await archive.begin(patientId, { 'two.dcm': object(2) });

  fill(gigabyte);
  const part = { id, key: '0b6a8b8e-5b0f-4d6e-9f58-5b7a1b9f2c11', path: 'large.dcm', sizeBytes: 1000 };
  expect(await answerOf(await archive.post('/resource/ImageImport', { patientId, totalFilesCount: 1 }))).toMatchObject(
    full,
  );
  expect(await answerOf(await archive.send(id, 'three.dcm', object(3)))).toMatchObject([
    507,
    '2',
    { code: 'storage-full' },
  ]);
  expect(await answerOf(await archive.post('/resource/ImageImport/part', part))).toMatchObject(full);
  expect((await archive.call(`/resource/patient/${patientId}`)).status).toBe(200);
  expect((await archive.task(id)).files.map(({ fileName }) => fileName)).toEqual(['two.dcm']);

  fill(100 * gigabyte);
  expect((await archive.send(id, 'three.dcm', object(3))).status).toBe(200);
  expect((await archive.post('/resource/ImageImport/part', part)).status).toBe(200);
});

test('a larger request than the space above the reserve is rejected before its bytes are stored', async () => {
  const id = await archive.begin(patientId, { 'four.dcm': object(4) });
  fill(2 * gigabyte + 100);
  expect(await answerOf(await archive.send(id, 'five.dcm', object(5)))).toMatchObject(full);
  fill(100 * gigabyte);
});

test('the import of received pictures waits for space and rejects none of them', async () => {
  const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#808080' } })
    .png()
    .toBuffer();
  const id = await archive.begin(patientId, { 'six.png': picture });
  await archive.post('/resource/ImageImport/dicom/parse', { id });
  await archive.waitForStep(id, 3);
  fill(0);
  await archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
  await expect
    .poll(() => archive.failures.some((one) => one instanceof StorageError && one.code === 'full'))
    .toBe(true);
  expect((await archive.task(id)).files.map(({ status }) => status)).not.toContain('refused');
  fill(100 * gigabyte);
  const { files } = await archive.waitForStep(id, 5);
  expect(files.map(({ status }) => status)).toEqual(['imported']);
});

test('administrators are warned below a tenth of the disk, and when imports wait', async () => {
  const warnings = diskWarnings(archive.archive.diskSpace);
  expect(await warnings()).toEqual([]);
  fill(19 * gigabyte);
  const [low] = await warnings();
  expect(low).toMatchObject({
    kind: 'disk-space',
    isFull: false,
    freeBytes: 19 * gigabyte,
    reservedBytes: 2 * gigabyte,
  });
  fill(gigabyte);
  expect(await warnings()).toMatchObject([{ kind: 'disk-space', isFull: true, since: low?.since }]);
  fill(100 * gigabyte);
  expect(await warnings()).toEqual([]);
});

test('2 % of the disk are reserved, between 64 MB and 2 GB, or the configured bytes', async () => {
  expect([gigabyte, 20 * gigabyte, 1000 * gigabyte].map(defaultReserve)).toEqual([
    64 * 2 ** 20,
    Math.round(0.4 * gigabyte),
    2 * gigabyte,
  ]);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-space-'));
  const real = await readSpace(folder);
  expect(real.totalBytes).toBeGreaterThan(real.freeBytes);
  await createDiskSpace({ folder, reservedBytes: 0 }).ensure(0);
  await expect(createDiskSpace({ folder, reservedBytes: real.totalBytes }).ensure(0)).rejects.toThrow(StorageError);
  expect(await createDiskSpace({ folder: path.join(folder, 'gone'), reservedBytes: null }).read()).toBeNull();
});
