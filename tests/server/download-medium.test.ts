import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { leftOutHeader } from '../../contract/gallery.ts';
import { readDirectory } from '../../dicom/directory.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { uidFrom } from '../../dicom/write/uid.ts';
import { archiveUnderTest } from './archive-under-test.ts';
import { clinicImport } from './clinic-import.ts';
import { downloadUnderTest } from './download-under-test.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';
import { smallObject } from './small-object.ts';
import { unzipped } from './unzipped.ts';

const bench = downloadUnderTest();
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const medium = async (scope: object, as?: string) => {
  const reply = await bench.archive.post('/resource/image/download', { ...scope, content: 'dicom' }, as);
  if (reply.status !== 200) throw new Error(`${reply.status} ${(await reply.json()).code}`);
  const zip = Buffer.from(await reply.arrayBuffer());
  expect(reply.headers.get('content-length')).toBe(String(zip.length));
  return { zip, files: new Map(await unzipped(zip)), leftOut: Number(reply.headers.get(leftOutHeader)) };
};

describe('a DICOM medium', () => {
  it('has every image of a patient byte for byte, and a DICOMDIR that lists them', async () => {
    const { patient, images, objects } = await bench.patientWithImages('whole');
    const { files, leftOut } = await medium({ patientId: patient.id });
    expect(leftOut).toBe(0);
    const names = ['DICOM/IM000001', 'DICOM/IM000002', 'DICOM/IM000003'];
    expect([...files.keys()]).toEqual(['DICOMDIR', ...names]);
    expect(names.map((name) => sha256Of(files.get(name) ?? Buffer.of()))).toEqual(objects.map(sha256Of));
    const directory = readDirectory(readDicomFile(files.get('DICOMDIR') ?? Buffer.of()));
    expect(directory.map(({ path }) => path.join('/'))).toEqual(names);
    const entries = bench.archive.db.selectFrom('access_log').select(['action', 'object_id']);
    expect(await entries.where('patient_id', '=', patient.id).orderBy('id').execute()).toEqual(
      images.map((object_id) => ({ action: 'image.downloaded', object_id })),
    );
  });

  it('has the images of one study, or those that are named', async () => {
    const { studies, images } = await bench.patientWithImages('part');
    expect((await medium({ studyId: studies.earlier })).files.size).toBe(3);
    expect((await medium({ studyId: studies.later })).files.size).toBe(2);
    expect((await medium({ imageUIDs: images.slice(1) })).files.size).toBe(3);
  });

  it('imports into another archive as the same studies, series and images', async () => {
    const { patient } = await bench.patientWithImages('imported');
    const { zip } = await medium({ patientId: patient.id });
    const other = await archiveUnderTest();
    try {
      const drive = clinicImport(other);
      const patientId = await other.addPatient();
      const task = await drive.parsed({ 'medium.zip': zip }, 'dicomdir');
      expect(task.studies.map(({ key, filesCount }) => [key, filesCount]).sort()).toEqual(
        [
          [uidFrom('imported 20240501'), 2],
          [uidFrom('imported 20260310'), 1],
        ].sort(),
      );
      for (const { key } of task.studies) await drive.decided(task.id, key, { patientId, mismatchConfirmed: true });
      await drive.imported(task.id);
      const series = other.db.selectFrom('image').innerJoin('series', 'series.id', 'image.series_id');
      const rows = await series.select(['series.uid', 'image.sop_instance_uid']).execute();
      expect(rows.map(({ uid, sop_instance_uid }) => `${uid} ${sop_instance_uid}`).sort()).toEqual(
        [
          ['20240501', 1],
          ['20240501', 2],
          ['20260310', 1],
        ]
          .map(([study, number]) => `${uidFrom(`imported ${study} series`)} ${uidFrom(`imported ${study} ${number}`)}`)
          .sort(),
      );
    } finally {
      await other.close();
    }
  });

  it('lists what is left out with the reason', async () => {
    const { db, clinics } = bench.archive;
    const { patient, series } = await bench.patientWithImages('left out');
    const add = (changes: object) => addImage(db, clinics.customerId, series.earlier, { number: 9, ...changes });
    await add({ sha256: 'e'.repeat(64), acquired_at: '2024-05-02' });
    await add({ ...(await bench.stored(Buffer.from('no DICOM at all'))), acquired_at: '2024-05-03' });
    await add({ ...(await bench.stored(smallObject({ StudyInstanceUID: null }))), acquired_at: '2024-05-04' });
    await add({ kind: 'document', ...(await bench.stored(Buffer.from('a report'))), acquired_at: '2024-05-05' });
    const { files, leftOut } = await medium({ patientId: patient.id });
    expect([...files.keys()].filter((name) => name.startsWith('DICOM/'))).toHaveLength(3);
    expect(leftOut).toBe(4);
    const reasons = (files.get('left-out.csv') ?? '').toString().split('\r\n');
    expect(reasons.map((line) => line.replace(/_\d+\.dcm/, '')).sort()).toEqual([
      '',
      '2024-05-02_IO,missing',
      '2024-05-03_IO,unreadable',
      '2024-05-04_IO,unreadable',
      '2024-05-05_IO,document',
      'file,reason',
    ]);
  });

  it('gives a file without preamble or meta information the start that the medium requires', async () => {
    const { db, clinics } = bench.archive;
    const patient = await addPatient(db, clinics.customerId, 'Åsa', 'Hemlig');
    const series = await addSeries(db, await addStudy(db, patient));
    const whole = smallObject({ SOPInstanceUID: uidFrom('bare') });
    const view = new DataView(whole.buffer, whole.byteOffset);
    const metaEnd = 144 + view.getUint32(140, true);
    await addImage(db, clinics.customerId, series, { number: 1, ...(await bench.stored(whole.subarray(metaEnd))) });
    await addImage(db, clinics.customerId, series, { number: 2, ...(await bench.stored(whole.subarray(132))) });
    const { files } = await medium({ patientId: patient.id });
    expect(files.get('DICOM/IM000001')?.equals(whole)).toBe(true);
    expect(files.get('DICOM/IM000002')?.equals(whole)).toBe(true);
  });

  it('reads the header of a large compressed file from its first bytes', async () => {
    const { db, clinics } = bench.archive;
    const patient = await addPatient(db, clinics.customerId, 'Åsa', 'Hemlig');
    const series = await addSeries(db, await addStudy(db, patient));
    const large = smallObject({ PixelData: { frames: [new Uint8Array(3 << 20)] } }, '1.2.840.10008.1.2.4.50');
    const { sha256, size_bytes } = await bench.stored(large);
    await addImage(db, clinics.customerId, series, { sha256, size_bytes });
    const { files: store } = bench.archive.archive;
    const openRange = store.openRange;
    const lengths: number[] = [];
    Object.assign(store, {
      openRange: (hash: string, range?: { first: number; last: number }) => {
        lengths.push(range ? range.last - range.first + 1 : size_bytes);
        return openRange(hash, range);
      },
    });
    const { files } = await medium({ patientId: patient.id });
    Object.assign(store, { openRange });
    expect(sha256Of(files.get('DICOM/IM000001') ?? Buffer.of())).toBe(sha256);
    expect(lengths).toEqual([2 ** 16, size_bytes]);
  });

  it('writes equal stored files once', async () => {
    const { patient, series, objects } = await bench.patientWithImages('twice');
    const again = await bench.stored(objects[0] ?? Buffer.of());
    await addImage(bench.archive.db, bench.archive.clinics.customerId, series.earlier, { number: 3, ...again });
    expect((await medium({ patientId: patient.id })).files.size).toBe(4);
  });

  it('returns an error when no image is left', async () => {
    const { db, clinics } = bench.archive;
    const patient = await addPatient(db, clinics.customerId, 'Åsa', 'Hemlig');
    const series = await addSeries(db, await addStudy(db, patient));
    await addImage(db, clinics.customerId, series, await bench.stored(Buffer.from('no DICOM')));
    await expect(medium({ patientId: patient.id })).rejects.toThrow('422 image-not-readable');
    const entries = bench.archive.db.selectFrom('access_log').select('id').where('patient_id', '=', patient.id);
    expect(await entries.execute()).toEqual([]);
  });
});

describe('the preview of a download', () => {
  it('counts files and bytes of a patient, study or selection', async () => {
    const { patient, studies, images } = await bench.patientWithImages('preview');
    const preview = async (scope: object, as?: string) => {
      const reply = await bench.archive.post('/resource/image/download/preview', scope, as);
      return [reply.status, await reply.json()];
    };
    const { clinics } = bench.archive;
    const sizeBytes = smallObject({ SOPInstanceUID: uidFrom('preview 20240501 1') }).length;
    const close = expect.closeTo(3 * sizeBytes, -3);
    const whole = { files: 3, sizeBytes: close, burnedIn: null, canShare: false };
    expect(await preview({ patientId: patient.id })).toEqual([200, whole]);
    expect(await preview({ studyId: studies.later })).toMatchObject([200, { files: 1 }]);
    expect(await preview({ imageUIDs: images.slice(1) })).toMatchObject([200, { files: 2 }]);
    expect(await preview({ patientId: patient.id }, clinics.otherDoctorId)).toMatchObject([404, { code: 'not-found' }]);
    expect((await preview({ patientId: patient.id, studyId: studies.later }))[0]).toBe(400);
    expect((await preview({}))[0]).toBe(400);
  });
});

it('rejects the images of a study or patient of another clinic', async () => {
  const { patient, studies } = await bench.patientWithImages('foreign');
  const { otherDoctorId } = bench.archive.clinics;
  await expect(medium({ patientId: patient.id }, otherDoctorId)).rejects.toThrow('404 not-found');
  await expect(medium({ studyId: studies.later }, otherDoctorId)).rejects.toThrow('404 not-found');
});
