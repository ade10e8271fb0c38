import { writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import { tags } from '../../dicom/tags.ts';
import { encodeJpegLs } from '../../server/dicom/wasm-encoders.ts';
import { bytesOf, element } from '../dicom/build-dicom.ts';
import { stateFile } from '../dicom/build-state.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt, partsOf, valuesOf } from './dicomweb-under-test.ts';

let archive: ArchiveUnderTest;
let web: ReturnType<typeof dicomWebOf>;

const root = 'https://images.example';
const explicit = '1.2.840.10008.1.2.1';
const jpegLs = '1.2.840.10008.1.2.4.80';
const [own, compressed, frames] = ['2.25.81', '2.25.82', '2.25.83'];

const patient = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa' };
const first = objectAt(own, patient);
const second = objectAt(own, patient, 2);
const other = objectAt(own, { ...patient, SeriesInstanceUID: `${own}.1.2`, SeriesNumber: 2 }, 3);
const pixels = new Uint16Array(48).map((_, index) => index * 80);
const native = Buffer.from(pixels.buffer);
/** Three frames, each of its own values. */
const cine = new Uint16Array(144).map((_, index) => index * 20);
const multiframe = objectAt(frames, { ...patient, NumberOfFrames: 3, PixelData: cine });
let codestream: Uint8Array;
let packed: Uint8Array;

beforeAll(async () => {
  const info = {
    width: 8,
    height: 6,
    bitsPerSample: 16,
    componentCount: 1,
    isSigned: false,
    isUsingColorTransform: false,
  };
  codestream = await encodeJpegLs(new Uint8Array(pixels.buffer), info);
  packed = objectAt(compressed, { ...patient, PixelData: { frames: [codestream] } }, 1, jpegLs);
  archive = await archiveUnderTest({ dicomWeb: { publicUrl: root, origins: [] } });
  web = dicomWebOf(archive);
  await web.addPatient({ firstName: 'Åsa', lastName: 'Lindström', personalNumber: '19800101-1234' }, [
    first,
    second,
    other,
    packed,
    multiframe,
  ]);
});
afterAll(() => archive?.close());

const ofInstance = (uid: string, number = 1) => `/studies/${uid}.1/series/${uid}.1.1/instances/${uid}.1.1.${number}`;
const accept = (value: string) => ({ headers: { accept: value } });
const parts = async (path: string, value?: string) => partsOf(await web.body(path, value));

describe('objects', () => {
  it('come byte for byte: of an instance, a series and a study, in order', async () => {
    const of = async (path: string) => (await parts(path)).map(({ body }) => body);
    expect(await of(ofInstance(own))).toEqual([Buffer.from(first)]);
    expect(await of(`/studies/${own}.1/series/${own}.1.1`)).toEqual([Buffer.from(first), Buffer.from(second)]);
    expect(await of(`/studies/${own}.1`)).toEqual([first, second, other].map((bytes) => Buffer.from(bytes)));
  });

  it('are parts with their transfer syntax, without a line before the first boundary', async () => {
    const reply = await web.call(ofInstance(compressed));
    expect(reply.headers.get('content-type')).toMatch(
      /^multipart\/related; type="application\/dicom"; boundary=[\w-]+$/,
    );
    const body = Buffer.from(await reply.arrayBuffer());
    expect(body.subarray(0, 2).toString()).toBe('--');
    expect(partsOf(body)[0]?.headers).toEqual({ 'content-type': `application/dicom; transfer-syntax=${jpegLs}` });
  });

  it.each([
    ['multipart/related; type="application/dicom"; transfer-syntax=*', own],
    ['multipart/related;type=application/dicom', own],
    [`multipart/related; type="application/dicom"; transfer-syntax=${explicit}`, own],
    [`multipart/related; type="application/dicom"; transfer-syntax="${jpegLs}"`, compressed],
    [`multipart/related; type="application/dicom;transfer-syntax=${jpegLs}"`, compressed],
    ['application/xml, MULTIPART/RELATED; TYPE="Application/DICOM"; q=0.1', own],
    ['*/*', own],
    ['', own],
  ])('are sent to a client that accepts %s', async (value, uid) => {
    const [part] = await parts(ofInstance(uid), value);
    expect(part?.body).toEqual(Buffer.from(uid === own ? first : packed));
  });

  it.each([
    [`multipart/related; type="application/dicom"; transfer-syntax=${explicit}`, ofInstance(compressed)],
    ['multipart/related; type="application/dicom+xml"', ofInstance(own)],
    ['application/dicom', `/studies/${own}.1`],
    ['image/jpeg', ofInstance(own)],
    ['*/*;q=0', ofInstance(own)],
    ['text/html', `${ofInstance(own)}/metadata`],
    ['image/jp2', `${ofInstance(compressed)}/frames/1`],
    ['multipart/related; type=image/jls; transfer-syntax=1.2.3', `${ofInstance(compressed)}/frames/1`],
    ['application/octet-stream', `${ofInstance(frames)}/frames/1,2`],
    ['image/gif', `${ofInstance(own)}/rendered`],
    ['image/png', `${ofInstance(own)}/thumbnail`],
  ])('refuses with 406 what the client does not accept: %s of %s', async (value, path) => {
    const reply = await web.call(path, accept(value));
    expect([reply.status, await reply.json()]).toMatchObject([406, { code: 'not-acceptable' }]);
  });

  it('are one body as application/dicom, with ETag and ranges', async () => {
    const whole = await web.call(ofInstance(own), accept('application/dicom'));
    expect(whole.headers.get('content-type')).toBe('application/dicom');
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(Buffer.from(first));
    const etag = whole.headers.get('etag') ?? '';
    const headers = { accept: 'application/dicom' };
    const again = await web.call(ofInstance(own), { headers: { ...headers, 'if-none-match': etag } });
    expect(again.status).toBe(304);
    const range = await web.call(ofInstance(own), { headers: { ...headers, range: 'bytes=128-131' } });
    expect([range.status, await range.text()]).toEqual([206, 'DICM']);
  });

  it('may be named by the parameter accept', async () => {
    const reply = await web.call(`${ofInstance(own)}?accept=application/dicom`, accept('image/png'));
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/dicom']);
  });

  it('get the preamble that their file lacks', async () => {
    const uid = '2.25.85';
    const bytes = objectAt(uid, patient);
    const bare = bytes.subarray(128 + 4);
    await web.addPatient({ personalNumber: '19800101-1235' }, [bare]);
    const [part] = await parts(ofInstance(uid));
    expect(part?.body.subarray(128, 132).toString()).toBe('DICM');
    expect(part?.body.subarray(132).subarray(-96)).toEqual(Buffer.from(bare.subarray(-96)));
  });
});

describe('objects whose record was corrected', () => {
  const uid = '2.25.86';
  const stated = {
    PatientName: 'Fel^Person',
    PatientID: '19500505-0000',
    OtherPatientIDs: 'HEMLIG',
    PatientAge: '075Y',
  };

  const received = async (path: string) => {
    const [part] = await parts(path);
    const body = part?.body ?? Buffer.alloc(0);
    return { body, dataSet: readDicomFile(body).dataSet };
  };

  it.each([
    [explicit, 1],
    ['1.2.840.10008.1.2', 2],
    ['1.2.840.10008.1.2.2', 3],
  ] as const)('leave with their patient, and all else as stored: %s', async (syntax, index) => {
    const at = `${uid}${index}`;
    const bytes = objectAt(at, stated, 1, syntax);
    await web.addPatient({ firstName: 'Åke', lastName: 'Sjögren', personalNumber: `19770707-1${index}00`, sex: null }, [
      bytes,
    ]);
    const { body, dataSet } = await received(ofInstance(at));
    expect(dataSet.text(tags.patientName)).toBe('Sjögren^Åke');
    expect(dataSet.text(tags.patientId)).toBe(`19770707-1${index}00`);
    expect(body.includes('HEMLIG')).toBe(false);
    expect(body.includes('Fel^')).toBe(false);
    const stored = readDicomFile(bytes).dataSet;
    const rest = [...stored.elements.keys()].filter((tag) => tag >>> 16 !== 0x0010);
    for (const tag of rest)
      expect(Buffer.from(dataSet.bytes(tag) ?? []), tag.toString(16)).toEqual(Buffer.from(stored.bytes(tag) ?? []));
    expect([...dataSet.elements.keys()]).toEqual([...dataSet.elements.keys()].toSorted((a, b) => a - b));
    const [metadata] = await web.json(`${ofInstance(at)}/metadata`);
    expect(metadata?.['00100020']?.Value).toEqual([`19770707-1${index}00`]);
    expect(metadata?.['00101000']).toBeUndefined();
    const single = await web.call(ofInstance(at), accept('application/dicom'));
    expect(Buffer.from(await single.arrayBuffer())).toEqual(body);
  });

  it('leave with the study and series to which they were moved', async () => {
    const at = `${uid}9`;
    const patientFromId = await web.addPatient({ personalNumber: '19600101-1111' }, [objectAt(at, stated)]);
    const patientToId = await archive.addPatient({
      customerId: archive.clinics.customerId,
      personalNumber: '19600101-2222',
    });
    const row = await archive.db
      .selectFrom('image')
      .select('id')
      .where('sop_instance_uid', '=', `${at}.1.1.1`)
      .executeTakeFirstOrThrow();
    const body = { what: 'image', id: row.id, patientFromId, patientToId, studyToId: null };
    const moved = await archive.post('/resource/move', body);
    expect(moved.status, await moved.clone().text()).toBe(200);
    expect((await web.call(ofInstance(at))).status).toBe(404);
    const [match] = await web.json(`/instances?SOPInstanceUID=${at}.1.1.1`);
    const [study] = valuesOf([match ?? {}], '0020000D');
    const [series] = valuesOf([match ?? {}], '0020000E');
    expect(study).not.toBe(`${at}.1`);
    const { dataSet } = await received(`/studies/${study}/series/${series}/instances/${at}.1.1.1`);
    expect(dataSet.code(tags.studyInstanceUid)).toBe(study);
    expect(dataSet.code(tags.seriesInstanceUid)).toBe(series);
    expect(dataSet.text(tags.patientId)).toBe('19600101-2222');
  });
});

describe('metadata', () => {
  it('has all attributes, and absolute addresses of pixels and long values', async () => {
    const uid = '2.25.84';
    const extra = bytesOf(element(0x00420011, 'OB', new Uint8Array(2000).fill(7)));
    const bytes = Buffer.from(
      objectAt(uid, { ...patient, WindowCenter: [900, 1000], WindowWidth: [1, 2.5], StationName: null }),
    );
    const place = bytes.lastIndexOf(Buffer.from([0xe0, 0x7f, 0x10, 0x00]));
    const whole = Buffer.concat([bytes.subarray(0, place), extra, bytes.subarray(place)]);
    await web.addPatient({ firstName: 'Åsa', lastName: 'Lindström', personalNumber: '19800101-1239' }, [whole]);
    const [json] = await web.json(`${ofInstance(uid)}/metadata`);
    const at = `${root}/dicomweb/${archive.clinics.customerId}${ofInstance(uid)}/bulkdata`;
    expect(json).toMatchObject({
      '00080005': { vr: 'CS', Value: ['ISO_IR 192'] },
      '00080060': { vr: 'CS', Value: ['IO'] },
      '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Lindström^Åsa' }] },
      '00281050': { vr: 'DS', Value: [900, 1000] },
      '00281051': { vr: 'DS', Value: [1, 2.5] },
      '00280010': { vr: 'US', Value: [6] },
      '00420011': { vr: 'OB', BulkDataURI: `${at}/00420011` },
      '7FE00010': { vr: 'OW', BulkDataURI: `${at}/7FE00010` },
    });
    expect(json?.['00081010']).toEqual({ vr: 'SH' });
    expect(Object.keys(json ?? {}).filter((tag) => tag.startsWith('0002'))).toEqual([]);
    const bulk = await web.call(`${ofInstance(uid)}/bulkdata/00420011`);
    expect(bulk.headers.get('content-type')).toBe('application/octet-stream');
    expect(Buffer.from(await bulk.arrayBuffer())).toEqual(Buffer.alloc(2000, 7));
    const range = await web.call(`${ofInstance(uid)}/bulkdata/00420011`, { headers: { range: 'bytes=1990-' } });
    expect([range.status, range.headers.get('content-range'), (await range.arrayBuffer()).byteLength]).toEqual([
      206,
      'bytes 1990-1999/2000',
      10,
    ]);
    const unsatisfiable = await web.call(`${ofInstance(uid)}/bulkdata/00420011`, { headers: { range: 'bytes=2000-' } });
    expect(unsatisfiable.status).toBe(416);
    const [part] = await parts(
      `${ofInstance(uid)}/bulkdata/00420011`,
      'multipart/related; type="application/octet-stream"',
    );
    expect(part?.body).toEqual(Buffer.alloc(2000, 7));
    expect((await parts(`${ofInstance(uid)}/bulkdata/7FE00010`))[0]?.body).toEqual(native);
    expect((await web.call(`${ofInstance(uid)}/bulkdata/00080008.0.00420011`)).status).toBe(404);
  });

  it('of a study and a series has each instance once', async () => {
    const uids = async (path: string) => valuesOf(await web.json(path), '00080018');
    expect(await uids(`/studies/${own}.1/metadata`)).toEqual([1, 2, 3].map((number) => `${own}.1.1.${number}`));
    expect(await uids(`/studies/${own}.1/series/${own}.1.2/metadata`)).toEqual([`${own}.1.1.3`]);
  });
});

describe('frames', () => {
  it('of native pixels are their bytes, in the requested order', async () => {
    const path = `${ofInstance(frames)}/frames/3,1`;
    const received = await parts(path);
    expect(received.map(({ headers }) => headers['content-type'])).toEqual(
      [1, 2].map(() => `application/octet-stream; transfer-syntax=${explicit}`),
    );
    const frameAt = (index: number) => Buffer.from(cine.slice(index * 48, index * 48 + 48).buffer);
    expect(received.map(({ body }) => body)).toEqual([frameAt(2), frameAt(0)]);
  });

  it.each([
    'multipart/related; type=application/octet-stream; transfer-syntax=*',
    'multipart/related; type="image/jls"',
    `multipart/related; type="image/x-jls"; transfer-syntax=${jpegLs}`,
    `multipart/related; type="application/octet-stream"; transfer-syntax=${jpegLs}`,
    'multipart/related; type="image/*"',
  ])('are the stored codestream for %s', async (value) => {
    const [part] = await parts(`${ofInstance(compressed)}/frames/1`, value);
    expect(part?.headers['content-type']).toBe(`image/jls; transfer-syntax=${jpegLs}`);
    expect(part?.body.subarray(0, codestream.length)).toEqual(Buffer.from(codestream));
  });

  it.each([
    '*/*',
    'multipart/related; type=application/octet-stream',
    `multipart/related; type="application/octet-stream"; transfer-syntax=${explicit}`,
    'multipart/related; type="image/jp2", multipart/related; type="application/octet-stream"; q=0.5',
  ])('are decoded for %s', async (value) => {
    const [part] = await parts(`${ofInstance(compressed)}/frames/1`, value);
    expect(part?.headers['content-type']).toBe(`application/octet-stream; transfer-syntax=${explicit}`);
    expect(part?.body).toEqual(native);
  });

  it('may be one body when there is one', async () => {
    const reply = await web.call(`${ofInstance(compressed)}/frames/1`, accept('image/jls'));
    expect(reply.headers.get('content-type')).toBe(`image/jls; transfer-syntax=${jpegLs}`);
    expect(Buffer.from(await reply.arrayBuffer()).subarray(0, codestream.length)).toEqual(Buffer.from(codestream));
    const body = await web.body(`${ofInstance(frames)}/frames/2`, 'application/octet-stream');
    expect(body).toEqual(Buffer.from(cine.slice(48, 96).buffer));
  });

  it.each(['0', '4', '1,4', '1,x', ''])('that do not exist are refused: %s', async (list) => {
    expect([400, 404]).toContain((await web.call(`${ofInstance(frames)}/frames/${list}`)).status);
  });
});

describe('pictures', () => {
  const picture = async (path: string, value = '*/*') => {
    const reply = await web.call(path, accept(value));
    expect(reply.status).toBe(200);
    const { data, info } = await sharp(Buffer.from(await reply.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { type: reply.headers.get('content-type'), info, data };
  };

  it('are JPEG by default, or PNG', async () => {
    expect(await picture(`${ofInstance(own)}/rendered`)).toMatchObject({
      type: 'image/jpeg',
      info: { width: 8, height: 6 },
    });
    const { type, info } = await picture(`${ofInstance(own)}/rendered`, 'image/png');
    expect([type, info.width, info.height]).toEqual(['image/png', 8, 6]);
  });

  it('have the window that is asked for', async () => {
    const { data, info } = await picture(`${ofInstance(own)}/rendered?window=1000,2000,linear-exact`, 'image/png');
    const grey = Array.from({ length: 48 }, (_, index) => data[index * info.channels] ?? -1);
    const expected = [...pixels].map((value) => Math.min(255, (value / 2000) * 255));
    for (const [index, value] of grey.entries())
      expect(Math.abs(value - (expected[index] ?? 0))).toBeLessThanOrEqual(1);
  });

  it('fit into the viewport, with the region that is asked for', async () => {
    const { info } = await picture(`${ofInstance(own)}/rendered?viewport=16,16`, 'image/png');
    expect([info.width, info.height]).toEqual([16, 12]);
    const window = 'window=1000,2000,linear-exact';
    const region = await picture(`${ofInstance(own)}/rendered?viewport=2,1,4,2,2,1&${window}`, 'image/png');
    expect([region.info.width, region.info.height]).toEqual([2, 1]);
    expect(Math.abs((region.data[0] ?? 0) - ((pixels[2 * 8 + 4] ?? 0) / 2000) * 255)).toBeLessThanOrEqual(1);
  });

  it('show the frame that is asked for', async () => {
    const window = 'window=1500,3000,linear-exact';
    const { data } = await picture(`${ofInstance(frames)}/frames/3/rendered?${window}`, 'image/png');
    expect(Math.abs((data[0] ?? 0) - ((cine[96] ?? 0) / 3000) * 255)).toBeLessThanOrEqual(1);
    expect((await web.call(`${ofInstance(frames)}/frames/4/rendered`)).status).toBe(404);
  });

  it.each([
    'viewport=0,5',
    'viewport=5',
    'viewport=9999,9999',
    'viewport=5,5,-1,0,1,1',
    'window=1,0,linear',
    'window=1,2,curved',
    'window=1',
    'quality=0',
  ])('are refused for %s', async (query) => {
    const reply = await web.call(`${ofInstance(own)}/rendered?${query}`);
    expect([reply.status, await reply.json()]).toMatchObject([400, { code: 'invalid-request' }]);
  });

  it('are thumbnails of a study, series, instance or frame', async () => {
    const paths = [
      `/studies/${own}.1`,
      `/studies/${own}.1/series/${own}.1.1`,
      ofInstance(own),
      `${ofInstance(frames)}/frames/2`,
    ];
    for (const path of paths)
      expect(await picture(`${path}/thumbnail?viewport=4,4`, 'image/jpeg')).toMatchObject({
        type: 'image/jpeg',
        info: { width: 4, height: 3 },
      });
    expect(await picture(`${ofInstance(own)}/thumbnail`)).toMatchObject({ info: { width: 8 } });
  });
});

describe('an object without pixels', () => {
  it('has metadata and its bytes, and neither frames nor pictures', async () => {
    const uid = '2.25.87';
    const state = stateFile({ sopInstanceUid: `${uid}.1.1.1`, studyUid: `${uid}.1`, images: [[`${own}.1.1.1`]] });
    await web.addPatient({ personalNumber: '19800101-1240' }, [state]);
    const [match] = await web.json(`/instances?SOPInstanceUID=${uid}.1.1.1`);
    const [series] = valuesOf([match ?? {}], '0020000E');
    const path = `/studies/${uid}.1/series/${series}/instances/${uid}.1.1.1`;
    expect(match?.['00280010']).toBeUndefined();
    const [metadata] = await web.json(`${path}/metadata`);
    expect(valuesOf([metadata ?? {}], '00080060')).toEqual(['PR']);
    expect(await parts(path)).toHaveLength(1);
    for (const end of ['frames/1', 'rendered', 'thumbnail']) {
      const reply = await web.call(`${path}/${end}`);
      expect([reply.status, await reply.json()]).toMatchObject([422, { code: 'image-has-no-pixels' }]);
    }
  });
});

describe('a retrieval', () => {
  it('logs the study, series or image that it names, once', async () => {
    const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from access_log`.execute(archive.db);
    for (const path of [`/studies/${own}.1`, `/studies/${own}.1/series/${own}.1.1/metadata`, ofInstance(own)])
      await web.body(path);
    const newer = await archive.db
      .selectFrom('access_log')
      .select('action')
      .where('id', '>', rows[0]?.id ?? 0)
      .orderBy('id')
      .execute();
    expect(newer.map(({ action }) => action)).toEqual(['study.retrieved', 'series.retrieved', 'image.retrieved']);
  });

  it('of another clinic is not found', async () => {
    const { otherDoctorId, otherCustomerId } = archive.clinics;
    for (const path of [`/studies/${own}.1`, `${ofInstance(own)}/metadata`, `${ofInstance(own)}/frames/1`]) {
      expect((await web.call(path, { as: otherDoctorId })).status).toBe(404);
      expect((await dicomWebOf(archive, otherCustomerId).call(path, { as: otherDoctorId })).status).toBe(404);
    }
  });

  it('of a study leaves out a file that is known to be damaged, and says so', async () => {
    const uid = '2.25.88';
    const sound = objectAt(uid, patient, 2);
    await web.addPatient({ personalNumber: '19800101-1241' }, [objectAt(uid, patient), sound]);
    const { sha256 } = await archive.db
      .selectFrom('image')
      .select('sha256')
      .where('sop_instance_uid', '=', `${uid}.1.1.1`)
      .executeTakeFirstOrThrow();
    await writeFile(await archive.archive.files.localPath(sha256), 'damaged');
    const alone = await web.call(ofInstance(uid));
    expect([alone.status, await alone.json()]).toMatchObject([422, { code: 'image-damaged' }]);
    const reply = await web.call(`/studies/${uid}.1`);
    expect(reply.status).toBe(206);
    const received = partsOf(Buffer.from(await reply.arrayBuffer()));
    expect(received).toHaveLength(1);
    expect(readDicomFile(received[0]?.body ?? Buffer.alloc(0)).dataSet.code(tags.sopInstanceUid)).toBe(`${uid}.1.1.2`);
    expect(valuesOf(await web.json(`/studies/${uid}.1/metadata`), '00080018')).toEqual([`${uid}.1.1.2`]);
  });
});
