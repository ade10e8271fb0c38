import { afterAll, beforeAll, expect, test } from 'vitest';
import { tiffOf } from '../dicom/build-tiff.ts';
import { heicPicture } from '../dicom/heic-picture.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let patientId: string;

beforeAll(async () => {
  archive = await archiveUnderTest();
  patientId = await archive.addPatient();
});

afterAll(() => archive.close());

test('a file is acknowledged with its hash, parsed, imported and returned byte for byte', async () => {
  const bytes = smallObject();
  const done = await archive.importAll(patientId, { 'Bild Åäö.dcm': bytes });
  expect(done).toMatchObject({ step: 5, error: false, percent: 100 });
  const [file] = done.files;
  expect(file).toMatchObject({ fileName: 'Bild Åäö.dcm', status: 'imported', problem: null, modality: 'IO' });
  expect(file?.patient).toMatchObject({ match: 'same', name: 'Lindström^Åsa' });

  const studies = await (await archive.call(`/resource/study/bypatient/${patientId}`)).json();
  expect(studies.totalCount).toBe(1);
  expect(studies.data[0]).toMatchObject({ uid: '2.25.1002', description: 'Check-up', studyDate: '2026-03-12' });
  const image = studies.data[0].series[0].images[0];
  expect(image).toMatchObject({ uid: file?.imageUid, width: 8, height: 6, frames: 1, kind: 'image', number: 1 });

  const stored = await archive.call(`/resource/viewset/get_image?imageUID=${image.uid}`);
  expect(stored.headers.get('content-type')).toBe('application/dicom');
  expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
});

test('a broken file does not affect others and is listed with its problem', async () => {
  const whole = smallObject({ SOPInstanceUID: '2.25.2001' });
  const done = await archive.importAll(patientId, {
    'whole.dcm': whole,
    'cut.dcm': smallObject({ SOPInstanceUID: '2.25.2002' }).subarray(0, whole.length - 40),
    'letter.txt': Buffer.from('Dear colleague, please find enclosed nothing that is an image. '.repeat(9)),
    'nothing.dcm': new Uint8Array(),
    'no-size.dcm': smallObject({ SOPInstanceUID: '2.25.2003', Rows: undefined }),
    'broken.png': Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(200)]),
  });
  expect(done).toMatchObject({ step: 5, error: false });
  const byName = Object.fromEntries(done.files.map((file) => [file.fileName, file]));
  expect(byName['whole.dcm']).toMatchObject({ status: 'imported', problem: null });
  expect(byName['cut.dcm']).toMatchObject({
    status: 'refused',
    problem: expect.stringMatching(/truncated|pixel-data-short/),
  });
  expect(byName['letter.txt']).toMatchObject({ status: 'refused', problem: 'not-dicom' });
  expect(byName['nothing.dcm']).toMatchObject({ status: 'refused', problem: 'empty' });
  expect(byName['no-size.dcm']).toMatchObject({ status: 'refused', problem: 'no-image-size' });
  expect(byName['broken.png']).toMatchObject({ status: 'refused', problem: 'picture-unreadable' });
  for (const file of done.files.filter(({ status }) => status === 'refused')) expect(file.detail).toBeTruthy();
});

test('without an importable file the task fails with the problem of each file', async () => {
  const id = await archive.begin(patientId, { 'a.txt': Buffer.from('no image') });
  const failed = await archive.parse(id);
  expect(failed).toMatchObject({ step: 3, error: true });
  expect(failed.files[0]).toMatchObject({ status: 'refused', problem: 'not-dicom' });
  const parsedEvent = archive.events.find(({ event }) => event.name === 'parsed' && event.body.result.taskId === id);
  expect(parsedEvent?.event.body).toMatchObject({ succeeded: false });
  const confirmed = await archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
  expect(await confirmed.json()).toMatchObject({ code: 'import-wrong-step' });
});

test('importing the same file again yields a duplicate', async () => {
  const bytes = smallObject({ SOPInstanceUID: '2.25.3001' });
  const [first] = (await archive.importAll(patientId, { 'first.dcm': bytes })).files;
  const again = await archive.importAll(patientId, { 'again.dcm': bytes });
  expect(again).toMatchObject({ step: 5, error: false });
  expect(again.files[0]).toMatchObject({ status: 'duplicate', imageUid: first?.imageUid });
  const { count } = await archive.db
    .selectFrom('image')
    .where('sop_instance_uid', '=', '2.25.3001')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(1);
});

test('two copies in one import yield one image and one duplicate', async () => {
  const bytes = smallObject({ SOPInstanceUID: '2.25.3101' });
  const done = await archive.importAll(patientId, { 'one.dcm': bytes, 'two.dcm': bytes });
  expect(done.files.map(({ status }) => status).sort()).toEqual(['duplicate', 'imported']);
  expect(new Set(done.files.map(({ imageUid }) => imageUid)).size).toBe(1);
});

test('the same SOP Instance UID with different bytes is rejected', async () => {
  await archive.importAll(patientId, { 'one.dcm': smallObject({ SOPInstanceUID: '2.25.4001' }) });
  const other = await archive.importAll(patientId, {
    'other.dcm': smallObject({ SOPInstanceUID: '2.25.4001', ImageComments: 'Retouched' }),
  });
  expect(other.error).toBe(true);
  expect(other.files[0]).toMatchObject({ status: 'refused', problem: 'same-uid-other-bytes' });
});

test('a study of another patient of the clinic is rejected; another clinic may have the same file', async () => {
  const { customerId, otherCustomerId, otherDoctorId } = archive.clinics;
  const bytes = smallObject({ SOPInstanceUID: '2.25.5001', StudyInstanceUID: '2.25.5002' });
  await archive.importAll(patientId, { 'a.dcm': bytes });
  const neighbour = await archive.addPatient({ customerId, personalNumber: '19810101-1234' });
  const same = smallObject({ SOPInstanceUID: '2.25.5003', StudyInstanceUID: '2.25.5002' });
  const rejected = await archive.importAll(neighbour, { 'a.dcm': bytes, 'b.dcm': same });
  expect(rejected.files.map(({ problem }) => problem)).toEqual([
    'study-of-another-patient',
    'study-of-another-patient',
  ]);

  const elsewhere = await archive.addPatient({ customerId: otherCustomerId });
  const begun = await archive.post(
    '/resource/ImageImport',
    { patientId: elsewhere, totalFilesCount: 1 },
    otherDoctorId,
  );
  const { id } = await begun.json();
  await archive.send(id, 'a.dcm', bytes, otherDoctorId);
  await archive.post('/resource/ImageImport/dicom/parse', { id }, otherDoctorId);
  await expect
    .poll(async () => (await archive.call(`/resource/ImageImport/${id}`, { as: otherDoctorId })).json())
    .toMatchObject({ step: 3, error: false, files: [{ status: 'parsed' }] });
});

test('a file that names another patient waits for confirmation', async () => {
  const bytes = smallObject({ SOPInstanceUID: '2.25.6001', PatientID: '19900202-2384', PatientName: 'Berg^Nils' });
  const id = await archive.begin(patientId, { 'nils.dcm': bytes });
  const parsed = await archive.parse(id);
  expect(parsed.files[0]?.patient).toMatchObject({ match: 'differs', name: 'Berg^Nils' });
  const rejected = await archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: false });
  expect(rejected.status).toBeGreaterThanOrEqual(400);
  expect(await rejected.json()).toMatchObject({ code: 'mismatch-not-confirmed' });
  expect(await archive.task(id)).toMatchObject({ step: 3 });
  await archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
  expect(await archive.waitForStep(id, 5)).toMatchObject({ step: 5, files: [{ status: 'imported' }] });
});

test('files that the archive already holds for this patient need no confirmation, whomever they name', async () => {
  const files = {
    'eva.dcm': smallObject({
      SOPInstanceUID: '2.25.5101',
      StudyInstanceUID: '2.25.5100',
      PatientName: 'Ek^Eva',
      PatientID: '',
    }),
  };
  const first = await archive.importAll(patientId, files);
  expect(first).toMatchObject({ step: 5, error: false });
  const again = await archive.parse(await archive.begin(patientId, files));
  expect(again.studies).toMatchObject([{ match: 'same', obstacles: [], decision: { mismatchConfirmed: false } }]);
});

test('imports and patients of other clinics are inaccessible', async () => {
  const { otherDoctorId, superId } = archive.clinics;
  const begun = await archive.post('/resource/ImageImport', { patientId, totalFilesCount: 1 }, otherDoctorId);
  expect([begun.status, await begun.json()]).toMatchObject([404, { code: 'not-found' }]);
  const id = await archive.begin(patientId, { 'a.dcm': smallObject({ SOPInstanceUID: '2.25.7001' }) });
  const seen = await archive.call(`/resource/ImageImport/${id}`, { as: otherDoctorId });
  expect(await seen.json()).toMatchObject({ code: 'import-not-found' });
  const sent = await archive.send(id, 'b.dcm', smallObject({ SOPInstanceUID: '2.25.7002' }), otherDoctorId);
  expect(await sent.json()).toMatchObject({ code: 'import-not-found' });
  const parse = await archive.post('/resource/ImageImport/dicom/parse', { id }, otherDoctorId);
  expect(await parse.json()).toMatchObject({ code: 'import-not-found' });
  expect((await archive.task(id)).files).toHaveLength(1);
  expect((await archive.call(`/resource/ImageImport/${id}`, { as: superId })).status).toBe(200);
});

test('a repeated upload is one file; after the uploads no further file is accepted', async () => {
  const bytes = smallObject({ SOPInstanceUID: '2.25.8001' });
  const id = await archive.begin(patientId, { 'a.dcm': bytes });
  const again = await archive.send(id, '../../etc/a.dcm', bytes);
  expect(again.status).toBe(200);
  expect((await archive.task(id)).files.map(({ fileName }) => fileName)).toEqual(['a.dcm']);
  await archive.parse(id);
  const late = await archive.send(id, 'late.dcm', smallObject({ SOPInstanceUID: '2.25.8002' }));
  expect(await late.json()).toMatchObject({ code: 'import-wrong-step' });
});

test('an import can be cancelled until it is confirmed, and stays cancelled', async () => {
  const { otherDoctorId } = archive.clinics;
  const cancel = (id: string, as?: string) => archive.post('/resource/ImageImport/cancel', { id }, as);
  const bytes = smallObject({ SOPInstanceUID: '2.25.8101', PatientName: 'Någon^Annan', PatientID: '19010101' });
  const unwanted = await archive.begin(patientId, { 'a.dcm': bytes });
  expect(await (await cancel(unwanted, otherDoctorId)).json()).toMatchObject({ code: 'import-not-found' });
  await archive.parse(unwanted);
  expect((await cancel(unwanted)).status).toBe(200);
  expect((await cancel(unwanted)).status).toBe(200);
  const late = await archive.post('/resource/ImageImport/dicom/import', { id: unwanted, mismatchConfirmed: true });
  expect(await late.json()).toMatchObject({ code: 'import-wrong-step' });
  expect(await archive.task(unwanted)).toMatchObject({
    step: 3,
    error: true,
    files: [{ status: 'parsed', imageUid: null }],
  });

  const done = await archive.importAll(patientId, { 'b.dcm': smallObject({ SOPInstanceUID: '2.25.8102' }) });
  expect(await (await cancel(done.id)).json()).toMatchObject({ code: 'import-wrong-step' });
});

test('a picture becomes a DICOM object of the chosen patient, and the original is stored', async () => {
  const { default: sharp } = await import('sharp');
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a33' } })
    .jpeg()
    .toBuffer();
  const done = await archive.importAll(patientId, { 'foto.jpeg': picture });
  expect(done.files[0]).toMatchObject({ status: 'imported', modality: 'XC', patient: { match: 'unknown' } });
  const row = await archive.db
    .selectFrom('image')
    .selectAll()
    .where('id', '=', done.files[0]?.imageUid ?? '')
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ source: 'picture', rows: 30, columns: 40, kind: 'image' });
  expect(await archive.archive.files.sizeOf(row.original_sha256 ?? '')).toBe(picture.length);
  const again = await archive.importAll(patientId, { 'samma.jpg': picture });
  expect(again.files[0]).toMatchObject({ status: 'duplicate', imageUid: row.id });
});

test('TIFF and HEIC pictures become images; a TIFF of several pages and a file that only begins as a video are refused', async () => {
  const page = { width: 4, height: 2, bits: 16, strip: Buffer.alloc(16, 0x3a) };
  const done = await archive.importAll(patientId, {
    'scan.tif': tiffOf(page),
    'IMG_0001.HEIC': heicPicture,
    'pages.tiff': tiffOf(page, { pages: 2 }),
    'film.mp4': Buffer.concat([Buffer.from('00000018', 'hex'), Buffer.from('ftypisom'), Buffer.alloc(200)]),
  });
  const byName = Object.fromEntries(done.files.map((file) => [file.fileName, file]));
  expect(byName['scan.tif']).toMatchObject({ status: 'imported', modality: 'OT' });
  expect(byName['IMG_0001.HEIC']).toMatchObject({ status: 'imported', modality: 'XC' });
  expect(byName['pages.tiff']).toMatchObject({ status: 'refused', problem: 'picture-unsupported' });
  expect(byName['film.mp4']).toMatchObject({ status: 'refused', problem: 'video-unsupported' });
});

test('an image truncated before its pixels is stored as a document, and its missing picture is reported', async () => {
  const done = await archive.importAll(patientId, {
    'whole.dcm': smallObject({ SOPInstanceUID: '2.25.9101' }),
    'cut.dcm': smallObject({ SOPInstanceUID: '2.25.9102', PixelData: undefined }),
  });
  const cut = done.files.find(({ fileName }) => fileName === 'cut.dcm');
  expect(cut).toMatchObject({ status: 'imported', problem: 'pixel-data-short' });
});

test('an object without pixels is stored as a document; one without identifiers gets derived ones', async () => {
  const done = await archive.importAll(patientId, {
    'report.dcm': smallObject({
      SOPInstanceUID: '2.25.9001',
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.88.11',
      Modality: 'SR',
      PixelData: undefined,
    }),
    'nameless.dcm': smallObject({ SOPInstanceUID: '2.25.9002', StudyInstanceUID: null, SeriesInstanceUID: null }),
  });
  expect(done.files.map(({ status }) => status)).toEqual(['imported', 'imported']);
  const studies = await (await archive.call(`/resource/study/bypatient/${patientId}?ppage=100`)).json();
  const images = studies.data.flatMap((study: { series: { images: object[] }[] }) =>
    study.series.flatMap((s) => s.images),
  );
  const report = images.find((image: { sopInstanceUid: string }) => image.sopInstanceUid === '2.25.9001');
  expect(report).toMatchObject({ kind: 'document', activeImageThumbLink: null });
  const derived = images.find((image: { sopInstanceUid: string }) => image.sopInstanceUid === '2.25.9002');
  expect(derived.studyUid).toMatch(/^2\.25\.\d{30,39}$/);
  expect(derived.seriesUid).not.toBe(derived.studyUid);
});

test('unfinished imports are listed in a new session', async () => {
  const id = await archive.begin(patientId, { 'open.dcm': smallObject({ SOPInstanceUID: '2.25.9501' }) });
  const open = await (await archive.call(`/resource/ImageImport?patientId=${patientId}`)).json();
  expect(open.map((task: { id: string }) => task.id)).toContain(id);
  expect(open.every((task: { step: number }) => task.step < 5)).toBe(true);
});

test('progress events go to the importing user, and thumbnail events to the clinic', async () => {
  const { id, files } = await archive.importAll(patientId, { 'x.dcm': smallObject({ SOPInstanceUID: '2.25.9601' }) });
  const [file] = files;
  const ofImage = () =>
    archive.events.find(
      ({ event }) => event.name === 'DetachImageProcessed' && event.body.item.imageUid === file?.imageUid,
    );
  await expect.poll(ofImage).toBeDefined();
  // The event names the image; its picture must be requested, which is logged.
  expect(JSON.stringify(ofImage()?.event)).not.toContain('signature=');
  expect(ofImage()?.groups).toContain(`clinic:${archive.clinics.customerId}`);
  expect(ofImage()?.groups).toContain(`user:${archive.clinics.doctorId}`);
  const progress = archive.events.filter(({ event }) => event.name === 'progress' && event.body.taskId === id);
  expect(progress.map(({ event }) => event.body)).toEqual([
    { taskId: id, percent: 100, step: 2 },
    { taskId: id, percent: 100, step: 4 },
  ]);
  for (const { groups } of progress) expect(groups).toEqual([`user:${archive.clinics.doctorId}`]);
});
