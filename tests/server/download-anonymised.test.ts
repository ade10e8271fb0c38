import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { leftOutHeader } from '../../contract/gallery.ts';
import { readDirectory } from '../../dicom/directory.ts';
import { type DicomFile, readDicomFile } from '../../dicom/file.ts';
import type { DataSet } from '../../dicom/write/data-set.ts';
import { uidFrom } from '../../dicom/write/uid.ts';
import { downloadUnderTest } from './download-under-test.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';
import { smallObject } from './small-object.ts';
import { unzipped } from './unzipped.ts';

const bench = downloadUnderTest();
const addSeriesOf = async (lastName = 'Lindström') => {
  const { db, clinics } = bench.archive;
  const patient = await addPatient(db, clinics.customerId, 'Åsa', lastName);
  const study = await addStudy(db, patient, { study_date: '2026-03-12' });
  const series = await addSeries(db, study);
  let number = 0;
  const add = async (bytes: Uint8Array, changes: object = {}) => {
    number += 1;
    return addImage(db, clinics.customerId, series, { number, ...(await bench.stored(bytes)), ...changes });
  };
  return { patient, study, add };
};

const object = (name: string, changes: DataSet = {}, syntax?: string) =>
  smallObject(
    {
      SOPInstanceUID: uidFrom(name),
      StudyInstanceUID: uidFrom('a study'),
      InstitutionName: 'Tandkliniken',
      ReferringPhysicianName: 'Operatör^Eva',
      ImageComments: 'Kommentar om Åsa',
      BurnedInAnnotation: 'NO',
      ...changes,
    },
    syntax,
  );
const secrets = [
  'Lindström',
  'Åsa',
  '19800101',
  '19800101-1234',
  '20260312',
  'Tandkliniken',
  'Operatör',
  'Kommentar',
  'Bitewing',
];

const send = (scope: object, confirmedBurnedIn?: number) =>
  bench.archive.post('/resource/image/download', {
    ...scope,
    content: 'anonymised',
    ...(confirmedBurnedIn !== undefined && { confirmedBurnedIn }),
  });

const copyOf = async (scope: object, confirmedBurnedIn?: number) => {
  const reply = await send(scope, confirmedBurnedIn);
  if (reply.status !== 200) throw new Error(`${reply.status} ${(await reply.json()).code}`);
  const zip = Buffer.from(await reply.arrayBuffer());
  expect(reply.headers.get('content-length')).toBe(String(zip.length));
  return { zip, files: await unzipped(zip), leftOut: Number(reply.headers.get(leftOutHeader)) };
};

const imagesOf = (files: readonly [string, Buffer][]) =>
  files.filter(([name]) => name.startsWith('DICOM/')).map(([, bytes]) => readDicomFile(bytes));

describe('an anonymised copy', () => {
  it('has no identifying value in any byte of the zip, and the same pixel bytes', async () => {
    const { patient, add } = await addSeriesOf();
    const objects = [
      object('plain'),
      object('implicit', {}, '1.2.840.10008.1.2'),
      object('big endian', {}, '1.2.840.10008.1.2.2'),
      object('deflated', {}, '1.2.840.10008.1.2.1.99'),
      object('odd', {
        Rows: 3,
        Columns: 3,
        BitsAllocated: 8,
        BitsStored: 8,
        HighBit: 7,
        PixelData: new Uint8Array(9).fill(5),
      }),
    ];
    for (const bytes of objects) await add(bytes, { file_name: 'lindstrom.dcm', comments: 'Kommentar' });
    const { zip, files, leftOut } = await copyOf({ patientId: patient.id });
    expect(leftOut).toBe(0);
    for (const secret of [...secrets, patient.personalNumber]) {
      for (const encoding of ['utf8', 'latin1', 'utf16le'] as const) {
        expect(zip.includes(Buffer.from(secret, encoding)), `${secret} in ${encoding}`).toBe(false);
      }
    }
    const pixelsOf = ({ dataSet }: DicomFile) => [...(dataSet.bytes(0x7fe00010) ?? [])];
    expect(imagesOf(files).map(pixelsOf)).toEqual(objects.map((bytes) => pixelsOf(readDicomFile(bytes))));
    const [directory] = files.filter(([name]) => name === 'DICOMDIR').map(([, bytes]) => readDicomFile(bytes));
    expect(directory && readDirectory(directory).map(({ sopInstanceUid }) => sopInstanceUid)).toEqual(
      imagesOf(files).map(({ dataSet }) => dataSet.code(0x00080018)),
    );
    const entries = bench.archive.db.selectFrom('access_log').select('action').where('patient_id', '=', patient.id);
    expect(await entries.execute()).toHaveLength(objects.length);
  });

  it('replaces equal UIDs by equal ones in one copy, by others in the next, and never by a hash of the UID', async () => {
    const { study, add } = await addSeriesOf();
    await add(object('first', { SeriesInstanceUID: uidFrom('one'), FrameOfReferenceUID: uidFrom('frame') }));
    await add(object('second', { SeriesInstanceUID: uidFrom('two'), FrameOfReferenceUID: uidFrom('frame') }));
    const uidsOf = async (tag: number) =>
      imagesOf((await copyOf({ studyId: study })).files).map(({ dataSet }) => dataSet.code(tag));
    const [one, other] = await uidsOf(0x0020000d);
    expect(one).toBe(other);
    expect(new Set(await uidsOf(0x0020000e)).size).toBe(2);
    expect(new Set(await uidsOf(0x00200052)).size).toBe(1);
    expect(await uidsOf(0x0020000d)).not.toContain(one);
    const digest = createHash('sha256').update(uidFrom('a study')).digest('hex').slice(0, 12);
    expect(
      BigInt(one?.slice('2.25.'.length) ?? 0)
        .toString(16)
        .slice(0, 12),
    ).not.toBe(digest);
  });

  it('numbers patients, so that their images stay apart', async () => {
    const first = await addSeriesOf();
    const second = await addSeriesOf();
    const imageUIDs = [await first.add(object('a')), await second.add(object('b')), await first.add(object('c'))];
    const { files } = await copyOf({ imageUIDs });
    expect(imagesOf(files).map(({ dataSet }) => dataSet.code(0x00100020))).toEqual(['ANON001', 'ANON002', 'ANON001']);
  });

  it('needs the number of images that may have text in them', async () => {
    const { patient, add } = await addSeriesOf();
    await add(object('no'));
    await add(object('yes', { BurnedInAnnotation: 'YES' }));
    await add(object('unsaid', { BurnedInAnnotation: undefined }));
    await add(Buffer.from('no DICOM'));
    const scope = { patientId: patient.id };
    const preview = await bench.archive.post('/resource/image/download/preview', { ...scope, content: 'anonymised' });
    expect(await preview.json()).toMatchObject({ files: 4, burnedIn: 2 });
    for (const confirmed of [undefined, 1]) {
      const reply = await send(scope, confirmed);
      expect([reply.status, await reply.json()]).toMatchObject([409, { code: 'conflict' }]);
    }
    const entries = bench.archive.db.selectFrom('access_log').select('id').where('patient_id', '=', patient.id);
    expect(await entries.execute()).toEqual([]);
    expect((await copyOf(scope, 2)).leftOut).toBe(1);
  });

  it('cleans compressed frames and leaves out those that cannot be checked', async () => {
    const { patient, add } = await addSeriesOf();
    const comment = Buffer.from('Kommentar om Åsa');
    const jpeg = Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, comment.length + 2]),
      comment,
      Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3, 4, 0xff, 0xd9]),
    ]);
    const bare = { BurnedInAnnotation: 'NO', PixelData: { frames: [jpeg, jpeg] }, NumberOfFrames: 2 } as const;
    await add(object('jpeg', bare, '1.2.840.10008.1.2.4.50'));
    await add(object('video', bare, '1.2.840.10008.1.2.4.102'), { acquired_at: '2026-03-12' });
    await add(object('broken', { PixelData: { frames: [comment] } }, '1.2.840.10008.1.2.4.50'));
    const { zip, files, leftOut } = await copyOf({ patientId: patient.id });
    expect(zip.includes('Kommentar')).toBe(false);
    expect(zip.includes(Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3, 4, 0xff, 0xd9]))).toBe(true);
    expect(leftOut).toBe(2);
    expect(files.at(-1)).toEqual([
      'left-out.csv',
      Buffer.from('file,reason\r\nIMAGE_002,unreadable\r\nIMAGE_003,unreadable\r\n'),
    ]);
  });
});
