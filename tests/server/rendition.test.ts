import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ImageInfo } from '../../contract/images.ts';
import type { Study } from '../../contract/studies.ts';
import { readRendition } from '../../dicom/rendition/read-rendition.ts';
import { decodeRendition } from '../../dicom/rendition/rendition.ts';
import { takeImageToPrepare } from '../../server/db/stores/renditions.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { encodeJpeg2000 } from '../../server/dicom/wasm-encoders.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

const codecs = createCodecs();
const rows = 1310;
const columns = 40;
const valuesOf = (frame: number) =>
  Uint16Array.from({ length: rows * columns }, (_, at) => (at * 37 + frame * 911) % 4096);

let archive: ArchiveUnderTest;
let plain: ImageInfo;
let slow: ImageInfo;
let report: ImageInfo;

const slowObject = async () => {
  const info = { width: columns, height: rows, bitsPerSample: 12, componentCount: 1 };
  const encode = (frame: number) =>
    encodeJpeg2000(new Uint8Array(valuesOf(frame).buffer), { ...info, isSigned: false, isUsingColorTransform: false });
  const frames = [await encode(1), await encode(2)];
  const size = { Rows: rows, Columns: columns, NumberOfFrames: 2 };
  const changes = { SOPInstanceUID: '2.25.2001', ...size, PixelData: { frames } };
  return smallObject(changes, '1.2.840.10008.1.2.4.90');
};

const requestRendition = (image: ImageInfo, more: Record<string, string> = {}, as?: string) =>
  archive.call(`/resource/image/rendition?${new URLSearchParams({ imageUID: image.uid, ...more })}`, as ? { as } : {});

const read = async (reply: Response) => readRendition(new Uint8Array(await reply.arrayBuffer()));

const made = async () => {
  const names = await readdir(path.join(archive.dataFolder, 'renditions'), { recursive: true });
  return names.filter((name) => name.includes(path.sep));
};

beforeAll(async () => {
  archive = await archiveUnderTest();
  const patientId = await archive.addPatient();
  await archive.importAll(patientId, {
    'a.dcm': smallObject(),
    'b.dcm': await slowObject(),
    'c.dcm': smallObject({
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.88.11',
      SOPInstanceUID: '2.25.2002',
      Modality: 'SR',
      PixelData: undefined,
      Rows: undefined,
      Columns: undefined,
    }),
  });
  await archive.archive.thumbnails.idle();
  await archive.archive.renditions.idle();
  const { data } = await (await archive.call(`/resource/study/bypatient/${patientId}`)).json();
  const images = (data as Study[]).flatMap(({ series }) => series.flatMap((one) => one.images));
  const named = (uid: string) => images.find(({ sopInstanceUid }) => sopInstanceUid === uid) as ImageInfo;
  [plain, slow, report] = [named('2.25.1001'), named('2.25.2001'), named('2.25.2002')];
});
afterAll(() => archive.close());

test('returns the values and description of a file, which the browser does not cache on disk', async () => {
  const reply = await requestRendition(plain);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('cache-control')).toBe('private, no-store');
  const rendition = await read(reply);
  expect(rendition).toMatchObject({ level: 'full', kind: 'original', frame: 1, description: { rows: 6, columns: 8 } });
  const { pixels } = await decodeRendition(rendition, codecs);
  expect([...pixels]).toEqual(Array.from({ length: 48 }, (_, index) => index * 80));
});

test('reduced and converted renditions are prepared in advance, losslessly', async () => {
  expect((await made()).length).toBe(2);
  const full = await read(await requestRendition(slow));
  expect(full.kind).toBe('htj2k');
  expect((await decodeRendition(full, codecs)).pixels).toEqual(valuesOf(1));
  const reduced = await read(await requestRendition(slow, { level: 'reduced' }));
  expect(reduced).toMatchObject({ level: 'reduced', reduction: 2, stored: { rows: rows / 2, columns: columns / 2 } });
});

test("thumbnails are made first, then reduced renditions, then conversions; a client's request has priority", async () => {
  const { db } = archive;
  const folder = path.join(archive.dataFolder, 'renditions');
  const slowRow = () =>
    db
      .selectFrom('image')
      .select(['thumb_status', 'rendition_status'])
      .where('id', '=', slow.uid)
      .executeTakeFirstOrThrow();
  const before = await slowRow();
  expect(before).toEqual({ thumb_status: 'ready', rendition_status: 'ready' });
  // While a thumbnail is waiting, no rendition is prepared for any image.
  await rm(folder, { recursive: true });
  await db.updateTable('image').set({ rendition_status: 'pending' }).where('id', '=', slow.uid).execute();
  await db
    .transaction()
    .execute(async (transaction) => {
      const waiting = { thumb_status: 'pending' } as const;
      await transaction.updateTable('image').set(waiting).where('id', '=', plain.uid).execute();
      const take = () => takeImageToPrepare(transaction, randomUUID());
      const release = () => transaction.deleteFrom('derive_claim').execute();
      expect(await take()).toBeUndefined();
      await transaction.updateTable('image').set({ thumb_status: 'ready' }).where('id', '=', plain.uid).execute();
      expect(await take()).toMatchObject({ id: slow.uid, before: 'pending' });
      await release();
      // All reduced renditions come before any conversion.
      await transaction.updateTable('image').set({ rendition_status: 'reduced' }).where('id', '=', slow.uid).execute();
      await transaction.updateTable('image').set({ rendition_status: 'pending' }).where('id', '=', plain.uid).execute();
      expect(await take()).toMatchObject({ id: plain.uid, before: 'pending' });
      await release();
      await transaction.updateTable('image').set({ rendition_status: 'ready' }).where('id', '=', plain.uid).execute();
      expect(await take()).toMatchObject({ id: slow.uid, before: 'reduced' });
      // No other node claims it meanwhile.
      expect(await take()).toBeUndefined();
      throw new Error('looked enough');
    })
    .catch((error: Error) => expect(error.message).toBe('looked enough'));
  // A request is served at once, before the preparation; existing renditions are not made again.
  expect((await read(await requestRendition(slow, { level: 'reduced' }))).level).toBe('reduced');
  archive.archive.thumbnails.wake();
  await archive.archive.thumbnails.idle();
  await archive.archive.renditions.idle();
  expect(await slowRow()).toEqual(before);
  expect((await made()).length).toBe(2);
});

test('an image whose rendition fails does not block the others', async () => {
  const { db } = archive;
  const hashOf = (id: string) => db.selectFrom('image').select('sha256').where('id', '=', id).executeTakeFirstOrThrow();
  const { sha256 } = await hashOf(plain.uid);
  const change = (set: { sha256: string; rendition_status: 'pending' | 'ready' }) =>
    db.updateTable('image').set(set).where('id', '=', plain.uid).execute();
  const garbage = await archive.archive.files.put(Readable.from([Buffer.from('no image')]));
  await change({ sha256: garbage.sha256, rendition_status: 'pending' });
  await db.updateTable('image').set({ rendition_status: 'pending' }).where('id', '=', slow.uid).execute();
  archive.archive.thumbnails.wake();
  await archive.archive.thumbnails.idle();
  await archive.archive.renditions.idle();
  const statusOf = async (id: string) =>
    (await db.selectFrom('image').select('rendition_status').where('id', '=', id).executeTakeFirstOrThrow())
      .rendition_status;
  expect([await statusOf(plain.uid), await statusOf(slow.uid)]).toEqual(['error', 'ready']);
  await change({ sha256, rendition_status: 'ready' });
});

test('the first request for a slow frame returns it unconverted, and a later one converted', async () => {
  const before = await made();
  const first = await read(await requestRendition(slow, { frame: '2' }));
  expect(first).toMatchObject({ kind: 'original', frame: 2 });
  await archive.archive.renditions.idle();
  const next = await read(await requestRendition(slow, { frame: '2' }));
  expect(next).toMatchObject({ kind: 'htj2k', frame: 2 });
  for (const rendition of [first, next]) {
    expect((await decodeRendition(rendition, codecs)).pixels).toEqual(valuesOf(2));
  }
  expect((await made()).length).toBe(before.length + 1);
});

test('a cached rendition that is lost or damaged is made again', async () => {
  const folder = path.join(archive.dataFolder, 'renditions');
  const reduced = (await made()).find((name) => name.includes('-1-reduced-')) ?? '';
  const whole = await readFile(path.join(folder, reduced));
  const expected = Buffer.from(await (await requestRendition(slow, { level: 'reduced' })).arrayBuffer());
  const broken = Buffer.from(whole);
  broken[broken.length - 20] = (broken[broken.length - 20] ?? 0) ^ 1;
  for (const bytes of [broken, whole.subarray(0, 100), Buffer.alloc(0)]) {
    await writeFile(path.join(folder, reduced), bytes);
    expect(Buffer.from(await (await requestRendition(slow, { level: 'reduced' })).arrayBuffer()).equals(expected)).toBe(
      true,
    );
    expect((await readFile(path.join(folder, reduced))).equals(whole)).toBe(true);
  }
  await rm(folder, { recursive: true });
  expect((await requestRendition(slow, { level: 'reduced' })).status).toBe(200);
  expect((await made()).length).toBe(1);
});

test('returns errors for a frame beyond the last, a report, and a file that cannot be decoded', async () => {
  const codeOf = async (reply: Promise<Response>) => ((await (await reply).json()) as { code: string }).code;
  expect(await codeOf(requestRendition(slow, { frame: '3' }))).toBe('not-found');
  expect(await codeOf(requestRendition(plain, { frame: '2', level: 'reduced' }))).toBe('not-found');
  expect((await requestRendition(plain, { frame: '0' })).status).toBe(400);
  expect((await requestRendition(plain, { level: 'half' })).status).toBe(400);
  expect(await codeOf(requestRendition(report))).toBe('image-has-no-pixels');
  // A row that declares more frames than its file has.
  const setFrames = (frames: number) =>
    archive.db.updateTable('image').set({ frames }).where('id', '=', plain.uid).execute();
  await setFrames(5);
  expect(await codeOf(requestRendition(plain, { frame: '5' }))).toBe('not-found');
  await setFrames(1);
});

test('returns 404 for another clinic and deleted images, and 403 without the right to open images', async () => {
  const { clinics, db, principals } = archive;
  expect((await requestRendition(plain, {}, clinics.otherDoctorId)).status).toBe(404);
  expect((await requestRendition(plain, {}, 'nobody')).status).toBe(401);
  expect((await requestRendition({ ...plain, uid: randomUUID() })).status).toBe(404);
  const doctor = principals.get(clinics.doctorId);
  if (!doctor) throw new Error('no doctor');
  principals.set(clinics.doctorId, { ...doctor, permissions: [...doctor.permissions, 'disable.open'] });
  expect((await requestRendition(plain)).status).toBe(403);
  principals.set(clinics.doctorId, doctor);
  const setDeleted = (at: Date | null) =>
    db.updateTable('image').set({ deleted_at: at }).where('id', '=', plain.uid).execute();
  await setDeleted(new Date());
  expect((await requestRendition(plain)).status).toBe(404);
  await setDeleted(null);
  expect((await requestRendition(plain)).status).toBe(200);
});

test('each opening is logged', async () => {
  const opened = () =>
    archive.db
      .selectFrom('access_log')
      .selectAll()
      .where('object_id', '=', slow.uid)
      .where('action', '=', 'image.opened')
      .execute();
  const before = (await opened()).length;
  await requestRendition(slow, { level: 'reduced' });
  await requestRendition(slow, {}, archive.clinics.otherDoctorId);
  const after = await opened();
  expect(after.length).toBe(before + 1);
  expect(after.at(-1)).toMatchObject({
    account_id: archive.clinics.doctorId,
    customer_id: archive.clinics.customerId,
  });
});
