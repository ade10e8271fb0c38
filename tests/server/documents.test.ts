import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getImage } from '../../contract/images.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { tags } from '../../dicom/tags.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { pdfObject } from './pdf-object.ts';
import { smallObject } from './small-object.ts';
import { unzipped } from './unzipped.ts';

/** Of odd length, with zeros at its end, which are no padding. */
const pdf = Buffer.from('%PDF-1.7\n1 0 obj <<>> endobj\n%%EOF\0\0\0');

let archive: ArchiveUnderTest;
const ids: Record<string, string> = {};

beforeAll(async () => {
  archive = await archiveUnderTest();
  const patientId = await archive.addPatient();
  const done = await archive.importAll(patientId, {
    letter: pdfObject(pdf),
    'no-document': pdfObject(null, '2.25.7002'),
    'no-pdf': pdfObject(Buffer.from('MZ and more'), '2.25.7003'),
    radiograph: smallObject(),
  });
  for (const { fileName, imageUid } of done.files) ids[fileName] = imageUid ?? '';
});
afterAll(() => archive.close());

const documentOf = (name: string, as?: string) =>
  archive.call(`/resource/image/document?imageUID=${ids[name]}`, as === undefined ? {} : { as });

it('the PDF of an object is returned byte for byte, and stays out of caches', async () => {
  const reply = await documentOf('letter');
  expect(reply.status).toBe(200);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(pdf);
});

it('single files are sent under names of the archive, not of the patient', async () => {
  const named = async (reply: Promise<Response>) => (await reply).headers.get('content-disposition');
  expect(await named(documentOf('letter'))).toBe('inline; filename="document.pdf"');
  expect(await named(archive.call(`${getImage.path}?imageUID=${ids.radiograph}`))).toBe(
    'attachment; filename="image.dcm"',
  );
});

it('the study names the object as a PDF, and others not', async () => {
  const types = await Promise.all(
    ['letter', 'radiograph'].map(async (name) => {
      const row = await archive.db
        .selectFrom('image')
        .innerJoin('series', 'series.id', 'image.series_id')
        .innerJoin('study', 'study.id', 'series.study_id')
        .select('study.patient_id')
        .where('image.id', '=', ids[name] ?? '')
        .executeTakeFirstOrThrow();
      const studies = await (await archive.call(`/resource/study/bypatient/${row.patient_id}`)).json();
      const images = studies.data.flatMap(({ series }: { series: { images: { uid: string }[] }[] }) =>
        series.flatMap((one) => one.images),
      );
      const { kind, documentType } = images.find(({ uid }: { uid: string }) => uid === ids[name]);
      return [kind, documentType];
    }),
  );
  expect(types).toEqual([
    ['document', 'pdf'],
    ['image', null],
  ]);
});

it.each(['no-document', 'no-pdf', 'radiograph'])('%s has no PDF', async (name) => {
  const reply = await documentOf(name);
  expect([reply.status, await reply.json()]).toMatchObject([422, { code: 'image-not-readable' }]);
});

it('users of another clinic do not find it', async () => {
  expect((await documentOf('letter', archive.clinics.otherDoctorId)).status).toBe(404);
});

let patients = 0;
const newPatient = () =>
  archive.addPatient({ customerId: archive.clinics.customerId, personalNumber: `20010203440${patients++}` });

describe('a PDF file', () => {
  it('becomes an object of its patient, from which it is returned byte for byte', async () => {
    const patientId = await newPatient();
    const [file] = (await archive.importAll(patientId, { 'letter.pdf': pdf })).files;
    expect(file).toMatchObject({ status: 'imported', modality: 'DOC' });
    ids.file = file?.imageUid ?? '';
    expect(Buffer.from(await (await documentOf('file')).arrayBuffer())).toEqual(pdf);

    const row = await archive.db.selectFrom('image').selectAll().where('id', '=', ids.file).executeTakeFirstOrThrow();
    const original = createHash('sha256').update(pdf).digest('hex');
    expect(row).toMatchObject({ kind: 'document', original_sha256: original });
    const patient = await archive.db
      .selectFrom('patient')
      .selectAll()
      .where('id', '=', patientId)
      .executeTakeFirstOrThrow();
    const reply = await archive.call(`/resource/viewset/get_image?imageUID=${ids.file}`);
    const { dataSet } = readDicomFile(new Uint8Array(await reply.arrayBuffer()));
    expect(dataSet.code(tags.sopClassUid)).toBe('1.2.840.10008.5.1.4.1.1.104.1');
    expect(dataSet.code(tags.modality)).toBe('DOC');
    expect(dataSet.code(tags.patientId)).toBe(patient.personal_number);
  });

  it('is downloaded as a PDF, whatever its name was', async () => {
    const [file] = (await archive.importAll(await newPatient(), { letter: pdf })).files;
    const reply = await archive.post('/resource/image/download', { imageUIDs: [file?.imageUid] });
    const [[name, bytes] = []] = await unzipped(Buffer.from(await reply.arrayBuffer()));
    expect(name).toMatch(/_DOC_001\.pdf$/);
    expect(bytes).toEqual(pdf);
  });

  it('is a duplicate the second time', async () => {
    const patientId = await newPatient();
    await archive.importAll(patientId, { 'letter.pdf': pdf });
    const [again] = (await archive.importAll(patientId, { 'copy.pdf': pdf })).files;
    expect(again).toMatchObject({ status: 'duplicate' });
  });

  it('that is cut off is refused', async () => {
    const cut = Buffer.concat([Buffer.from('%PDF-1.7\n%%EOF\n'), Buffer.alloc(2000, 0x20)]);
    const [file] = (await archive.importAll(await newPatient(), { 'letter.pdf': cut })).files;
    expect(file).toMatchObject({ status: 'refused', problem: 'truncated' });
  });
});
