import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let patientId: string;

beforeAll(async () => {
  archive = await archiveUnderTest();
  patientId = await archive.addPatient();
});

afterAll(() => archive.close());

/** An upload whose last bytes are held back until `finish`. */
const slowUpload = (taskId: string, name: string, bytes: Uint8Array) => {
  const boundary = 'between-the-parts';
  const part = (headers: string) => `--${boundary}\r\nContent-Disposition: form-data; ${headers}\r\n\r\n`;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const text = (value: string) => writer.write(new TextEncoder().encode(value));
  const reply = archive.call('/resource/ImageImport/dicom', {
    method: 'POST',
    body: readable,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    duplex: 'half',
  } as RequestInit);
  const half = Math.floor(bytes.length / 2);
  const started = async () => {
    await text(`${part('name="id"')}${taskId}\r\n${part(`name="file"; filename="${name}"`)}`);
    await writer.write(bytes.subarray(0, half));
  };
  const finish = async () => {
    await writer.write(bytes.subarray(half));
    await text(`\r\n--${boundary}--\r\n`);
    await writer.close();
    return reply;
  };
  return { started, finish };
};

const storedFiles = async () => (await readdir(archive.dataFolder, { recursive: true })).length;

test('users of the clinic can take over an interrupted upload, and the uploading session is notified', async () => {
  const { superId } = archive.clinics;
  const id = await archive.begin(patientId, { 'arrived.dcm': smallObject({ SOPInstanceUID: '2.25.9801' }) });
  const open = await (await archive.call(`/resource/ImageImport?patientId=${patientId}`, { as: superId })).json();
  expect(open).toMatchObject([{ id, step: 0, files: [{ fileName: 'arrived.dcm', status: 'received' }] }]);

  const before = await storedFiles();
  const late = slowUpload(id, 'late.dcm', smallObject({ SOPInstanceUID: '2.25.9802' }));
  await late.started();
  // The upload was accepted and its bytes are on their way into the store.
  await expect.poll(storedFiles).toBeGreaterThan(before);
  const parse = await archive.post('/resource/ImageImport/dicom/parse', { id }, superId);
  expect([parse.status, await parse.json()]).toEqual([200, { id }]);
  const rejected = await late.finish();
  expect([rejected.status, await rejected.json()]).toMatchObject([409, { code: 'import-wrong-step' }]);

  // The sender's own completion comes too late and changes nothing.
  const again = await archive.post('/resource/ImageImport/dicom/parse', { id });
  expect(again.status).toBe(200);
  expect(await archive.waitForStep(id, 3)).toMatchObject({ step: 3, error: false });
  const confirmed = await archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: false }, superId);
  expect(confirmed.status).toBe(200);
  const done = await archive.waitForStep(id, 5);
  expect(done.files.map(({ fileName, status }) => [fileName, status])).toEqual([['arrived.dcm', 'imported']]);

  // The rejected file was not acknowledged; sent again as a new import it is accepted.
  const rest = await archive.importAll(patientId, { 'late.dcm': smallObject({ SOPInstanceUID: '2.25.9802' }) });
  expect(rest.files.map(({ status }) => status)).toEqual(['imported']);
  expect(archive.failures).toEqual([]);
});
