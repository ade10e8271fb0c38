import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import type { DamagedImage } from '../../contract/damaged-images.ts';
import type { ImageInfo } from '../../contract/images.ts';
import type { Study } from '../../contract/studies.ts';
import { fileErrorWarnings } from '../../server/integrity/file-error-warnings.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';
import { smallObject } from './small-object.ts';
import { unzipped } from './unzipped.ts';

let archive: ArchiveUnderTest;
let patientId: string;
let sent: Record<string, Uint8Array>;

const pathOf = (sha256: string) => path.join(archive.dataFolder, 'files', sha256.slice(0, 2), sha256);
const checkFiles = () => archive.archive.fileCheck.round(new AbortController().signal);

const images = async (): Promise<ImageInfo[]> => {
  const { data } = await (await archive.call(`/resource/study/bypatient/${patientId}`)).json();
  return (data as Study[]).flatMap(({ series }) => series.flatMap((one) => one.images));
};
const imageOf = async (uid: string): Promise<ImageInfo> =>
  (await images()).find(({ sopInstanceUid }) => sopInstanceUid === uid) as ImageInfo;
const rowOf = (uid: string) =>
  archive.db.selectFrom('image').selectAll().where('sop_instance_uid', '=', uid).executeTakeFirstOrThrow();
const fileOf = async (uid: string) => pathOf((await rowOf(uid)).sha256);

const atRest = async () => {
  await archive.archive.thumbnails.idle();
  await archive.archive.renditions.idle();
};

/** An image of which only the file exists. */
const withoutDerived = async () => {
  for (const folder of ['thumbnails', 'renditions'])
    await rm(path.join(archive.dataFolder, folder), { recursive: true, force: true });
};

const statusesOf = async ({ uid, activeImageThumbLink }: ImageInfo): Promise<string[]> => {
  const replies = [
    await archive.call(`/resource/viewset/get_image?imageUID=${uid}`),
    await archive.call(`/resource/viewset/get_image?imageUID=${uid}`, { headers: { range: 'bytes=0-9' } }),
    await archive.call(`/resource/image/rendition?imageUID=${uid}`),
    await archive.call(`/resource/image/rendition?imageUID=${uid}&level=reduced`),
    await archive.call(activeImageThumbLink ?? 'nowhere'),
    await archive.post('/resource/image/download', { imageUIDs: [uid] }),
  ];
  return Promise.all(
    replies.map(async (reply) => `${reply.status} ${reply.ok ? '' : (await reply.json()).code}`.trim()),
  );
};
const same = (code: string) => Array.from({ length: 6 }, () => `422 ${code}`);

const flip = async (file: string) => {
  const bytes = await readFile(file);
  bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 4;
  await writeFile(file, bytes);
};

const damaged = async (as: string, query = ''): Promise<DamagedImage[] | number> => {
  const reply = await archive.call(`/resource/image/damaged${query}`, { as });
  return reply.ok ? (await reply.json()).data : reply.status;
};

beforeAll(async () => {
  archive = await archiveUnderTest({ fileCheck: { passMs: 0.001, bytesPerSecond: 1e12 } });
  patientId = await archive.addPatient();
  sent = Object.fromEntries(
    ['2.25.11', '2.25.12', '2.25.13'].map((uid) => [`${uid}.dcm`, smallObject({ SOPInstanceUID: uid })]),
  );
  await archive.importAll(patientId, sent);
  await atRest();
});
afterAll(() => archive.close());
beforeEach(async () => {
  await archive.importAll(patientId, sent);
  await atRest();
  expect(await archive.db.selectFrom('stored_file_fault').selectAll().execute()).toEqual([]);
});

describe('a stored file', () => {
  it('that is missing has one code in every call, is recorded, and recovers when restored from a backup', async () => {
    const image = await imageOf('2.25.11');
    const file = await fileOf('2.25.11');
    const bytes = await readFile(file);
    await withoutDerived();
    await rm(file);
    expect(await statusesOf(image)).toEqual(same('image-missing'));
    expect((await imageOf('2.25.11')).storageFault).toMatchObject({ kind: 'missing' });
    await writeFile(file, bytes);
    await checkFiles().catch((error) => expect(error).toMatchObject({ code: 'away' }));
    expect((await imageOf('2.25.11')).storageFault).toBeNull();
    await atRest();
    expect(await statusesOf(await imageOf('2.25.11'))).toEqual(['200', '206', '200', '200', '200', '200']);
  });

  it('that is damaged has one code in every call, and keeps the time when it was first seen', async () => {
    const image = await imageOf('2.25.11');
    await withoutDerived();
    await flip(await fileOf('2.25.11'));
    expect(await statusesOf(image)).toEqual(same('image-damaged'));
    const before = (await imageOf('2.25.11')).storageFault;
    expect(before).toMatchObject({ kind: 'damaged' });
    await checkFiles();
    await statusesOf(image);
    expect((await imageOf('2.25.11')).storageFault).toEqual(before);
    expect(archive.events.at(-1)).toMatchObject({ event: { name: 'PatientChanged', body: { patientId } } });
  });

  it('that is damaged is not served by range either, although another range was sent before', async () => {
    const { uid } = await imageOf('2.25.11');
    const part = () => archive.call(`/resource/viewset/get_image?imageUID=${uid}`, { headers: { range: 'bytes=0-9' } });
    const [first, second] = [await part(), await part()];
    expect([first.status, second.status, first.headers.get('etag')]).toEqual([206, 206, second.headers.get('etag')]);
    await flip(await fileOf('2.25.11'));
    const third = await part();
    expect([third.status, third.headers.get('etag')]).toEqual([422, null]);
  });

  it('that is no image is reported as not readable, and not as damaged', async () => {
    const { customerId } = archive.clinics;
    const stored = await archive.archive.files.put(Readable.from([randomBytes(500)]));
    const { series_id } = await rowOf('2.25.11');
    const facts = { sha256: stored.sha256, size_bytes: stored.sizeBytes, thumb_status: 'ready' as const };
    const uid = await addImage(archive.db, customerId, series_id, facts);
    const image = (await images()).find((one) => one.uid === uid) as ImageInfo;
    expect((await statusesOf(image)).slice(2, 5)).toEqual(same('image-not-readable').slice(0, 3));
    await archive.db.deleteFrom('image').where('id', '=', uid).execute();
  });

  it('in a folder of another archive does not mark images as missing', async () => {
    const mark = path.join(archive.dataFolder, 'files', 'archive-id');
    const [own, file] = [await readFile(mark), await fileOf('2.25.11')];
    const bytes = await readFile(file);
    await writeFile(mark, 'another archive\n');
    await rm(file);
    const reply = await archive.call(`/resource/viewset/get_image?imageUID=${(await imageOf('2.25.11')).uid}`);
    expect([reply.status, await reply.json()]).toMatchObject([503, { code: 'storage-unavailable' }]);
    await checkFiles().catch((error) => expect(error).toMatchObject({ code: 'away' }));
    expect((await imageOf('2.25.11')).storageFault).toBeNull();
    await writeFile(mark, own);
    await writeFile(file, bytes);
    expect(await archive.archive.folder.check()).toBe(true);
  });
});

test('a zip omits and lists damaged and missing files; only sent images are logged', async () => {
  const uids = ['2.25.11', '2.25.12', '2.25.13'];
  const ids = await Promise.all(uids.map(async (uid) => (await imageOf(uid)).uid));
  await flip(await fileOf('2.25.11'));
  await rm(await fileOf('2.25.13'));
  const reply = await archive.post('/resource/image/download', { imageUIDs: ids });
  expect([reply.status, reply.headers.get('x-left-out')]).toEqual([200, '2']);
  const entries = await unzipped(Buffer.from(await reply.arrayBuffer()));
  expect(entries.map(([name]) => name)).toEqual(['2026-03-12_IO_002.dcm', 'left-out.csv']);
  expect(entries[0]?.[1].equals(Buffer.from(sent['2.25.12.dcm'] ?? []))).toBe(true);
  expect(entries[1]?.[1].toString()).toBe(
    'file,reason\r\n2026-03-12_IO_001.dcm,damaged\r\n2026-03-12_IO_003.dcm,missing\r\n',
  );
  const noted = await archive.db
    .selectFrom('access_log')
    .select('object_id')
    .where('action', '=', 'image.downloaded')
    .where('object_id', 'in', ids)
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  expect(noted).toEqual([{ object_id: ids[1] }]);
});

test('jobs skip an image with a damaged file, process the others, and derive it when the file is intact again', async () => {
  const { db } = archive;
  await withoutDerived();
  const newest = await db
    .selectFrom('image')
    .select(['id', 'sop_instance_uid'])
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  await flip(await fileOf(newest.sop_instance_uid));
  await db.updateTable('image').set({ thumb_status: 'pending', rendition_status: 'pending' }).execute();
  archive.archive.thumbnails.wake();
  await atRest();
  const states = async () =>
    (await db.selectFrom('image').select(['id', 'thumb_status', 'rendition_status']).execute()).map(
      (row) => `${row.id === newest.id} ${row.thumb_status} ${row.rendition_status}`,
    );
  expect((await states()).sort()).toEqual(['false ready ready', 'false ready ready', 'true pending pending']);
  await archive.importAll(patientId, sent);
  await atRest();
  expect((await states()).sort()).toEqual(['false ready ready', 'false ready ready', 'true ready ready']);
});

test('importing a picture again repairs its damaged object, although the patient has another name now', async () => {
  const pixels = randomBytes(64 * 48 * 3);
  const picture = await sharp(pixels, { raw: { width: 64, height: 48, channels: 3 } })
    .png()
    .toBuffer();
  await archive.importAll(patientId, { 'a.png': new Uint8Array(picture) });
  await atRest();
  const {
    sop_instance_uid: uid,
    id,
    sha256,
    original_sha256,
  } = await archive.db.selectFrom('image').selectAll().where('source', '=', 'picture').executeTakeFirstOrThrow();
  const rendition = async () =>
    Buffer.from(await (await archive.call(`/resource/image/rendition?imageUID=${id}`)).arrayBuffer());
  const right = await rendition();
  for (const name of ['Åsa', 'Åsa Maria']) {
    await archive.db.updateTable('patient').set({ first_name: name }).where('id', '=', patientId).execute();
    await withoutDerived();
    await flip(await fileOf(uid));
    await flip(pathOf(original_sha256 ?? ''));
    await checkFiles();
    expect((await imageOf(uid)).storageFault).toMatchObject({ kind: 'damaged' });
    await archive.importAll(patientId, { 'a.png': new Uint8Array(picture) });
    await checkFiles();
    await checkFiles();
    expect((await imageOf(uid)).storageFault).toBeNull();
    expect((await rowOf(uid)).sha256 === sha256).toBe(name === 'Åsa');
    expect((await rendition()).equals(right)).toBe(true);
  }
  await archive.db.updateTable('image').set({ deleted_at: new Date() }).where('id', '=', id).execute();
});

test('administrators see the damaged images of their clinic, super administrators all, others none', async () => {
  const { clinics, db } = archive;
  const { superId, adminId, doctorId, customerId, otherCustomerId } = clinics;
  const other = await addPatient(db, otherCustomerId, 'Eva', 'Annan');
  const seriesId = await addSeries(db, await addStudy(db, other));
  const foreign = await addImage(db, otherCustomerId, seriesId, { sha256: 'a'.repeat(64) });
  await flip(await fileOf('2.25.12'));
  await checkFiles();
  const { uid } = await imageOf('2.25.12');
  const of = (list: DamagedImage[] | number) => (typeof list === 'number' ? list : list.map((one) => one.uid).sort());
  expect(of(await damaged(adminId))).toEqual([uid]);
  expect(of(await damaged(superId))).toEqual([uid, foreign].sort());
  expect(of(await damaged(superId, `?customerId=${otherCustomerId}`))).toEqual([foreign]);
  expect(of(await damaged(adminId, `?customerId=${otherCustomerId}`))).toBe(404);
  expect(of(await damaged(doctorId))).toBe(403);
  const [own] = (await damaged(superId, `?customerId=${customerId}`)) as DamagedImage[];
  expect(own).toMatchObject({ uid, customerId, patientId, kind: 'damaged', seriesModalityValue: 'IO' });
  expect(JSON.stringify(own)).not.toContain('Lindström');
  expect(await fileErrorWarnings(db)()).toMatchObject([{ kind: 'damaged-files', damaged: 1, missing: 1 }]);
  await db.deleteFrom('image').where('id', '=', foreign).execute();
  await archive.importAll(patientId, sent);
  await checkFiles();
  expect(await fileErrorWarnings(db)()).toEqual([]);
  expect((await readdir(path.join(archive.dataFolder, 'files'))).length).toBeGreaterThan(0);
});
