import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultLimits } from '../../server/imports/limits.ts';
import { createPartReceiver } from '../../server/imports/receive/receive-parts.ts';
import { openPartDrafts } from '../../server/storage/part-drafts.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';

let archive: ArchiveUnderTest;
let patientId: string;
const whole = randomBytes(300_000);
const sha256 = createHash('sha256').update(whole).digest('hex');

beforeAll(async () => {
  archive = await archiveUnderTest({ limits: { ...defaultLimits, fileBytes: 1_000_000 } });
  patientId = await archive.addPatient();
});
afterAll(() => archive.close());

const begin = async (): Promise<string> =>
  (await (await archive.post('/resource/ImageImport', { patientId, totalFilesCount: 1 })).json()).id;
const target = (id: string, key: string, offset: number) =>
  `/resource/ImageImport/part?id=${id}&key=${key}&offset=${offset}`;
const open = (id: string, key: string, changes: object = {}, as?: string) =>
  archive.post('/resource/ImageImport/part', { id, key, path: 'CT/stor.dcm', sizeBytes: whole.length, ...changes }, as);
const put = (id: string, key: string, from: number, to: number, as?: string) =>
  archive.call(target(id, key, from), {
    method: 'PUT',
    body: Uint8Array.from(whole.subarray(from, to)),
    headers: { 'content-type': 'application/octet-stream' },
    ...(as === undefined ? {} : { as }),
  });
const root = () => path.join(archive.dataFolder, 'files');
const received = async (id: string, key: string): Promise<number> => (await (await open(id, key)).json()).receivedBytes;

/** A part whose bytes the test sends itself. */
const openPart = (id: string, key: string, offset: number, length: number) =>
  request(`${archive.url}${target(id, key, offset)}`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': length,
      authorization: `Bearer ${archive.clinics.doctorId}`,
    },
  });

test('a file in parts is acknowledged with its last part, and the same key returns it from then on', async () => {
  const id = await begin();
  const key = randomUUID();
  expect(await (await open(id, key)).json()).toEqual({ receivedBytes: 0, file: null });
  expect(await (await put(id, key, 0, 100_000)).json()).toEqual({ receivedBytes: 100_000, file: null });
  expect(await (await open(id, key)).json()).toEqual({ receivedBytes: 100_000, file: null });
  const last = await (await put(id, key, 100_000, 300_000)).json();
  expect(last).toEqual({ receivedBytes: 300_000, file: { fileId: last.file.fileId, sizeBytes: 300_000, sha256 } });
  expect(await (await open(id, key)).json()).toEqual(last);
  expect(await (await put(id, key, 100_000, 300_000)).json()).toEqual(last);
  const { files } = await archive.task(id);
  expect(files.map((file) => [file.id, file.path, file.fileName])).toEqual([
    [last.file.fileId, 'CT/stor.dcm', 'stor.dcm'],
  ]);
  expect(await readdir(path.join(root(), 'parts'))).toEqual([]);
  const stored = await archive.archive.files.openRange(sha256);
  expect(Buffer.concat(await stored.toArray()).equals(whole)).toBe(true);
});

test('received bytes of an interrupted part count', async () => {
  const id = await begin();
  const key = randomUUID();
  await open(id, key);
  const call = openPart(id, key, 0, whole.length);
  const gone = new Promise((resolve) => call.once('error', resolve));
  call.write(whole.subarray(0, 70_000));
  const drafts = await openPartDrafts(root());
  await expect.poll(() => drafts.sizeOf({ taskId: id, key })).toBe(70_000);
  call.destroy();
  await gone;
  await expect.poll(() => received(id, key)).toBe(70_000);
  expect((await (await put(id, key, 70_000, 300_000)).json()).file.sha256).toBe(sha256);
});

test('a reconnecting sender does not wait for the end of its lost connection', async () => {
  const id = await begin();
  const key = randomUUID();
  await open(id, key);
  const lost = openPart(id, key, 0, whole.length);
  const gone = once(lost, 'error');
  lost.write(whole.subarray(0, 50_000));
  const drafts = await openPartDrafts(root());
  await expect.poll(() => drafts.sizeOf({ taskId: id, key })).toBe(50_000);
  expect(await received(id, key)).toBe(50_000);
  await gone;
  expect((await (await put(id, key, 50_000, 300_000)).json()).file.sha256).toBe(sha256);
});

test('a part must start at the received offset, and not exceed the size of the file', async () => {
  const id = await begin();
  const key = randomUUID();
  await open(id, key, { sizeBytes: 200_000 });
  await put(id, key, 0, 100_000);
  const gap = await put(id, key, 150_000, 160_000);
  expect([gap.status, await gap.json()]).toMatchObject([
    409,
    { code: 'conflict', errors: [{ fieldKey: 'offset', vars: { receivedBytes: 100_000 } }] },
  ]);
  expect((await put(id, key, 100_000, 300_000)).status).toBe(413);
  expect((await open(id, key, { sizeBytes: 200_001 })).status).toBe(409);
  expect((await open(id, key, { sizeBytes: 200_000, path: 'other.dcm' })).status).toBe(409);
  expect((await put(id, randomUUID(), 0, 10)).status).toBe(404);
  expect((await open(id, randomUUID(), { sizeBytes: 1_000_001 })).status).toBe(413);
  expect((await archive.task(id)).files).toEqual([]);
});

test('users of another clinic cannot create, send or find a part', async () => {
  const id = await begin();
  const key = randomUUID();
  await open(id, key);
  const otherDoctorId = archive.clinics.otherDoctorId;
  expect((await open(id, key, {}, otherDoctorId)).status).toBe(404);
  expect((await put(id, key, 0, 10, otherDoctorId)).status).toBe(404);
  expect(await received(id, key)).toBe(0);
});

test('a cancelled import accepts no more of a file, and still returns a complete one', async () => {
  const id = await begin();
  const [half, done] = [randomUUID(), randomUUID()];
  await open(id, half);
  await put(id, half, 0, 1_000);
  await open(id, done);
  await put(id, done, 0, 300_000);
  await archive.post('/resource/ImageImport/cancel', { id });
  expect((await put(id, half, 1_000, 2_000)).status).toBe(409);
  expect((await open(id, half)).status).toBe(409);
  expect((await (await open(id, done)).json()).file.sha256).toBe(sha256);
});

test('a process that ends in the middle of a file, or between the file and its row, resumes there', async () => {
  const id = await begin();
  const key = randomUUID();
  await open(id, key);
  await put(id, key, 0, 299_999);
  // State after a kill: hash committed, draft in the store, no row. Read by a new process that has only disk and database.
  const drafts = await openPartDrafts(root());
  const name = { taskId: id, key };
  await drafts.append(
    name,
    299_999,
    (async function* () {
      yield whole.subarray(299_999);
    })(),
    1,
  );
  await archive.db.updateTable('import_part').set({ sha256 }).where('key', '=', key).execute();
  await drafts.moveIn(name, sha256);
  const again = createPartReceiver({
    db: archive.db,
    files: archive.archive.files,
    drafts,
    maxFiles: 10,
  });
  const state = await again.begin(id, key, 'CT/stor.dcm', whole.length);
  expect(state).toMatchObject({ receivedBytes: 300_000, file: { sha256 } });
  expect((await archive.task(id)).files).toHaveLength(1);
});
