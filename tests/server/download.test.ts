import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { maxImagesNamed } from '../../contract/gallery.ts';
import { type ZippedFile, zipFiles } from '../../server/storage/zip-files.ts';
import { downloadUnderTest } from './download-under-test.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';
import { unzipped } from './unzipped.ts';

const bench = downloadUnderTest();
const seriesOf = async (customerId: string, modality = 'IO') => {
  const patient = await addPatient(bench.archive.db, customerId, 'Åsa', 'Hemlig');
  const studyId = await addStudy(bench.archive.db, patient, { study_date: '2026-03-10' });
  return { patient, studyId, seriesId: await addSeries(bench.archive.db, studyId, modality) };
};

const download = (imageUIDs: readonly string[], as?: string) =>
  bench.archive.post('/resource/image/download', { imageUIDs }, as);

const entries = (patientId: string) =>
  bench.archive.db
    .selectFrom('access_log')
    .select(['action', 'object_id', 'account_id'])
    .where('patient_id', '=', patientId)
    .orderBy('id')
    .execute();

describe('download of images', () => {
  it('returns the original files in the requested order, under names without patient data', async () => {
    const { customerId } = bench.archive.clinics;
    const { patient, seriesId } = await seriesOf(customerId, 'I/O');
    const [dicom, object, jpg, png] = [randomBytes(300_000), randomBytes(1000), randomBytes(2000), randomBytes(0)];
    const tiff = randomBytes(500);
    const hidden = { file_name: 'hemlig_asa_19800101.dcm', acquired_at: '2026-03-12T10:11:12' };
    const made = { source: 'picture' as const, ...(await bench.stored(object)) };
    const first = await addImage(bench.archive.db, customerId, seriesId, { ...hidden, ...(await bench.stored(dicom)) });
    const second = await addImage(bench.archive.db, customerId, seriesId, {
      ...made,
      original_sha256: (await bench.stored(jpg)).sha256,
      file_name: 'hemlig.JPEG',
    });
    const third = await addImage(bench.archive.db, customerId, seriesId, {
      ...made,
      original_sha256: (await bench.stored(png)).sha256,
      file_name: 'hemlig.PNG',
    });
    const fourth = await addImage(bench.archive.db, customerId, seriesId, {
      ...made,
      original_sha256: (await bench.stored(tiff)).sha256,
      file_name: 'hemlig.TIF',
    });
    const reply = await download([third, first, second, first, fourth]);
    expect(reply.status).toBe(200);
    const zip = Buffer.from(await reply.arrayBuffer());
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(zip.length),
      'cache-control': 'private, no-store',
      'content-disposition': 'attachment; filename="images.zip"',
    });
    expect(await unzipped(zip)).toEqual([
      ['2026-03-10_IO_001.png', png],
      ['2026-03-12_IO_002.dcm', dicom],
      ['2026-03-10_IO_003.jpg', jpg],
      ['2026-03-10_IO_004.tif', tiff],
    ]);
    const noted = { action: 'image.downloaded', account_id: bench.archive.clinics.doctorId };
    const ids = [third, first, second, fourth];
    expect(await entries(patient.id)).toEqual(ids.map((object_id) => ({ ...noted, object_id })));
  });

  it('returns 404 and logs nothing when one image is not accessible', async () => {
    const { db, clinics } = bench.archive;
    const { patient, studyId, seriesId } = await seriesOf(clinics.customerId);
    const other = await seriesOf(clinics.otherCustomerId);
    const own = await addImage(db, clinics.customerId, seriesId, await bench.stored(randomBytes(10)));
    const foreign = await addImage(db, clinics.otherCustomerId, other.seriesId, await bench.stored(randomBytes(10)));
    for (const uid of [foreign, randomUUID()]) {
      const reply = await download([own, uid]);
      expect([reply.status, await reply.json()]).toMatchObject([404, { code: 'not-found' }]);
    }
    expect((await download([own, foreign], clinics.superId)).status).toBe(200);
    for (const [table, id] of [
      ['image', own],
      ['series', seriesId],
      ['study', studyId],
      ['patient', patient.id],
    ] as const) {
      await db.updateTable(table).set({ deleted_at: new Date() }).where('id', '=', id).execute();
      expect((await download([own])).status, table).toBe(404);
      await db.updateTable(table).set({ deleted_at: null }).where('id', '=', id).execute();
    }
    expect((await entries(patient.id)).map((entry) => entry.account_id)).toEqual([clinics.superId]);
    expect((await entries(other.patient.id)).map((entry) => entry.account_id)).toEqual([clinics.superId]);
  });

  it('enters recipient and purpose in the access log of each image', async () => {
    const { customerId } = bench.archive.clinics;
    const { patient, seriesId } = await seriesOf(customerId);
    const uid = await addImage(bench.archive.db, customerId, seriesId, await bench.stored(randomBytes(10)));
    const details = async (extra: object) => {
      const reply = await bench.archive.post('/resource/image/download', { imageUIDs: [uid], ...extra });
      expect(reply.status).toBe(200);
      await reply.arrayBuffer();
      const rows = bench.archive.db.selectFrom('access_log').select('detail').where('patient_id', '=', patient.id);
      return (await rows.orderBy('id', 'desc').execute())[0]?.detail;
    };
    expect(await details({})).toBeNull();
    expect(await details({ recipient: ' Käkkirurgen ', purpose: 'Remiss' })).toBe('Käkkirurgen: Remiss');
    expect(await details({ recipient: 'Patienten' })).toBe('Patienten');
    const tooLong = { imageUIDs: [uid], recipient: 'x'.repeat(201) };
    expect((await bench.archive.post('/resource/image/download', tooLong)).status).toBe(400);
  });

  it('requires the right to open images', async () => {
    const { db, clinics, principals } = bench.archive;
    const { patient, seriesId } = await seriesOf(clinics.customerId);
    const uid = await addImage(db, clinics.customerId, seriesId, await bench.stored(randomBytes(10)));
    const doctor = principals.get(clinics.doctorId);
    if (!doctor) throw new Error('there is no doctor');
    const accountId = randomUUID();
    principals.set(accountId, { ...doctor, accountId, permissions: [...doctor.permissions, 'disable.open'] });
    expect((await download([uid], accountId)).status).toBe(403);
    expect(await entries(patient.id)).toEqual([]);
  });

  it('returns an error before the first byte when the store has none of the files', async () => {
    const { db, clinics } = bench.archive;
    const { patient, seriesId } = await seriesOf(clinics.customerId);
    const gone = await addImage(db, clinics.customerId, seriesId, { sha256: 'f'.repeat(64) });
    const reply = await download([gone]);
    expect([reply.status, await reply.json()]).toMatchObject([422, { code: 'image-missing' }]);
    expect(await entries(patient.id)).toEqual([]);
  });

  it('requires at least one image and limits their number', async () => {
    expect((await download([])).status).toBe(400);
    const many = Array.from({ length: maxImagesNamed + 1 }, () => randomUUID());
    expect((await download(many)).status).toBe(400);
    expect((await download(many.slice(1))).status).toBe(404);
  });
});

/** Files of zeros that count reads. */
const counted = (count: number, sizeBytes: number) => {
  const now = { open: 0, most: 0, opened: 0, readBytes: 0 };
  const files = Array.from(
    { length: count },
    (_, index): ZippedFile => ({
      name: `${index}.dcm`,
      sizeBytes,
      modifiedAt: new Date(),
      open: async () => {
        now.open += 1;
        now.opened += 1;
        now.most = Math.max(now.most, now.open);
        let left = sizeBytes;
        const read = function (this: Readable) {
          const chunk = Buffer.alloc(Math.min(left, 1 << 16));
          left -= chunk.length;
          now.readBytes += chunk.length;
          this.push(chunk.length > 0 ? chunk : null);
        };
        return new Readable({ read }).once('close', () => {
          now.open -= 1;
        });
      },
    }),
  );
  return { files, now };
};

/** Resolves when no more is read. */
const atRest = async (now: { readBytes: number }): Promise<number> => {
  for (let before = -1; before !== now.readBytes; ) {
    before = now.readBytes;
    for (let ticks = 0; ticks < 50; ticks++) await nextTick();
  }
  return now.readBytes;
};

describe('a zip', () => {
  it('reads one file at a time, at the speed of the receiver', async () => {
    const { files, now } = counted(20, 1 << 20);
    const { stream, sizeBytes } = zipFiles(files);
    expect(await atRest(now)).toBeLessThan(1 << 20);
    const taken = await buffer(stream);
    expect(taken.length).toBe(sizeBytes);
    expect(now).toEqual({ open: 0, most: 1, opened: 20, readBytes: 20 << 20 });
  });

  it('closes its file when the receiver disconnects', async () => {
    const { files, now } = counted(3, 1 << 20);
    const { stream } = zipFiles(files);
    await atRest(now);
    expect(now.open).toBe(1);
    stream.destroy();
    await atRest(now);
    expect(now).toMatchObject({ open: 0, opened: 1 });
  });

  it.each([
    ['is shorter than it was', async () => Readable.from([Buffer.alloc(5)])],
    ['cannot be opened', () => Promise.reject(new Error('away'))],
    [
      'fails midway',
      async () =>
        Readable.from(
          (async function* () {
            yield Buffer.alloc(5);
            throw new Error('away');
          })(),
        ),
    ],
  ])('aborts when a file %s', async (_, open) => {
    const { stream } = zipFiles([{ name: 'a.dcm', sizeBytes: 10, modifiedAt: new Date(), open }]);
    await expect(buffer(stream)).rejects.toThrow();
  });

  it('grows with Zip64, and its declared size is exact', () => {
    const of = (sizeBytes: number) =>
      zipFiles([{ name: 'a.dcm', sizeBytes, modifiedAt: new Date(), open: () => new Promise(() => undefined) }]);
    const around = (sizeBytes: number) => of(sizeBytes).sizeBytes - sizeBytes;
    // A longer descriptor, the sizes again in the directory, and its own end record with a locator (APPNOTE 4.3.9, 4.5.3, 4.3.14, 4.3.15).
    expect(around(5 * 2 ** 30) - around(5)).toBe(8 + 28 + 56 + 20);
  });
});

it('closes the files when the browser disconnects', async () => {
  const { db, clinics } = bench.archive;
  const { seriesId } = await seriesOf(clinics.customerId);
  const large = await bench.stored(Buffer.alloc(30 << 20, 7));
  const uids: string[] = [];
  for (let count = 0; count < 3; count++) uids.push(await addImage(db, clinics.customerId, seriesId, large));
  const body = JSON.stringify({ imageUIDs: uids });
  const headers = { authorization: `Bearer ${clinics.doctorId}`, 'content-type': 'application/json' };
  const opened: Readable[] = [];
  const { files } = bench.archive.archive;
  const openRange = files.openRange;
  Object.assign(files, {
    openRange: async (sha256: string) => {
      const stream = await openRange(sha256);
      opened.push(stream);
      return stream;
    },
  });
  await new Promise<void>((resolve, reject) => {
    const call = request(`${bench.archive.url}/resource/image/download`, { method: 'POST', headers }, (reply) => {
      reply.once('data', () => {
        call.destroy();
        resolve();
      });
    });
    call.once('error', reject);
    call.end(body);
  });
  while (!opened[0]?.closed) await nextTick();
  expect(opened).toHaveLength(1);
  Object.assign(files, { openRange });
});
