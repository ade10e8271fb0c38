import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { moveCalls, statusAndCode, studyFiles } from './move-calls.ts';
import { imagesOf, patientRecords } from './patient-records.ts';

let archive: ArchiveUnderTest;
let from: string;
let to: string;
const { newPatient, studiesOf, onlyStudyOf } = patientRecords(() => archive);
const { newUid, files } = studyFiles();
const { importAll, requestPreview, preview, move, back, newViewset, mount, mounted, entriesOf, galleryOf } = moveCalls(
  () => ({ archive, from, to }),
);

beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());
beforeEach(async () => {
  from = await newPatient();
  to = await newPatient({ firstName: 'Nils', lastName: 'Berg', birthDate: '1990-02-02', sex: 'M' });
});

describe('a study', () => {
  test('moves to the other patient with its images and viewsets, and back', async () => {
    await importAll(from, files(2, 2));
    const before = await onlyStudyOf(from);
    const ids = imagesOf([before]);
    const viewset = await newViewset(from, before);
    await mount(viewset.viewSetUuid, 0, ids[0]);
    const request = { what: 'study', id: before.id } as const;
    const seen = await preview(request);
    expect(seen).toMatchObject({
      from: { id: from },
      to: { id: to },
      counts: { images: 4, viewsets: 1, slots: 0, imports: 0 },
      isDeleted: false,
      leavesEmptyStudy: false,
      warnings: ['other-name', 'other-birth-date', 'other-sex'],
      named: [{ name: 'Lindström^Åsa', match: 'differs' }],
    });
    const since = archive.events.length;
    const reply = await move({ ...request, seen: seen.seen });
    expect([reply.status, await reply.json()]).toEqual([
      200,
      { id: before.id, studyId: before.id, studyFromId: before.id },
    ]);
    expect(await studiesOf(from)).toEqual([]);
    const after = await onlyStudyOf(to);
    expect(after).toMatchObject({ id: before.id, uid: before.uid, patientId: to, studyDate: '2026-06-01' });
    expect(imagesOf([after])).toEqual(ids);
    expect(await mounted(viewset.viewSetUuid)).toEqual([ids[0], undefined]);
    expect(await galleryOf(ids)).toEqual(Array(4).fill(to));
    expect(archive.events.slice(since).map(({ event }) => [event.name, event.body])).toEqual([
      ['PatientChanged', { patientId: from }],
      ['PatientChanged', { patientId: to }],
      ['ViewsetChanged', { patientId: to, viewsetId: viewset.viewSetUuid, version: 3 }],
    ]);
    const entry = { action: 'study.moved', object_id: before.id, account_id: archive.clinics.doctorId };
    expect([await entriesOf(from), await entriesOf(to)]).toEqual([[entry], [entry]]);
    const lastStudies = await archive.db
      .selectFrom('patient')
      .select(['id', 'last_study_date'])
      .where('id', 'in', [from, to])
      .execute();
    expect(new Map(lastStudies.map((row) => [row.id, row.last_study_date]))).toEqual(
      new Map([
        [from, null],
        [to, '2026-06-01'],
      ]),
    );

    expect((await back(request)).status).toBe(200);
    expect(imagesOf(await studiesOf(from))).toEqual(ids);
    expect(await studiesOf(to)).toEqual([]);
    expect(await galleryOf(ids)).toEqual(Array(4).fill(from));
  });

  test('shows no image of the other patient in a remaining viewset, nor the reverse', async () => {
    await importAll(from, files(1, 2));
    await importAll(from, files(1, 1));
    const studies = await studiesOf(from);
    const moving = studies.find(({ series }) => series[0]?.images.length === 2);
    const staying = studies.find(({ id }) => id !== moving?.id);
    const [one, two] = imagesOf(moving ? [moving] : []);
    const [other] = imagesOf(staying ? [staying] : []);
    const stays = (await newViewset(from, staying)).viewSetUuid;
    const movedViewset = (await newViewset(from, moving)).viewSetUuid;
    await mount(stays, 0, one);
    await mount(stays, 1, other);
    await mount(movedViewset, 0, two);
    await mount(movedViewset, 1, other);
    const request = { what: 'study', id: moving?.id } as const;
    expect((await preview(request)).counts).toEqual({ images: 2, viewsets: 1, slots: 2, imports: 0 });
    expect((await move(request)).status).toBe(200);
    expect(await mounted(stays)).toEqual([undefined, other]);
    expect(await mounted(movedViewset)).toEqual([two, undefined]);
    // After moving back, both slots stay empty: unmounted images are not remounted automatically.
    expect((await back(request)).status).toBe(200);
    expect(await mounted(stays)).toEqual([undefined, other]);
  });

  test('accepts its files again only for its current patient', async () => {
    const sent = files(1, 2);
    await importAll(from, sent);
    const { id, uid } = await onlyStudyOf(from);
    await move({ what: 'study', id });
    const rejected = await archive.parse(await archive.begin(from, { ...sent, ...files(1, 1, uid, '.9') }));
    expect(rejected.files.map(({ problem: why }) => why)).toEqual(Array(3).fill('study-of-another-patient'));
    expect((await importAll(to, sent)).files.map(({ status }) => status)).toEqual(['duplicate', 'duplicate']);
  });

  test('of an import that waits for a user takes the import along, to be confirmed again', async () => {
    const uid = newUid();
    await importAll(from, files(1, 1, uid));
    const open = await archive.parse(await archive.begin(from, files(1, 2, uid, '.5')));
    const { id } = await onlyStudyOf(from);
    const request = { what: 'study', id } as const;
    expect((await preview(request)).counts.imports).toBe(1);
    await archive.post('/resource/ImageImport/decide', {
      id: open.id,
      key: uid,
      patientId: from,
      mismatchConfirmed: true,
    });
    expect((await move(request)).status).toBe(200);
    const [study] = (await archive.task(open.id)).studies;
    expect(study).toMatchObject({ patient: { id: to }, obstacles: ['mismatch-not-confirmed'] });
    const confirmed = await archive.post('/resource/ImageImport/dicom/import', {
      id: open.id,
      mismatchConfirmed: true,
    });
    expect(confirmed.status).toBe(200);
    expect((await archive.waitForStep(open.id, 5)).files.map(({ status }) => status)).toEqual(['imported', 'imported']);
    expect(await studiesOf(from)).toEqual([]);
    expect(imagesOf(await studiesOf(to))).toHaveLength(3);
  });

  test('in the recycle bin is restored with the other patient, with the right to restore', async () => {
    await importAll(from, files(1, 1));
    const { id } = await onlyStudyOf(from);
    await archive.call(`/resource/study/delete/${id}`, { method: 'DELETE', as: archive.clinics.adminId });
    expect(await statusAndCode(await move({ what: 'study', id }))).toEqual([403, 'no-right']);
    const as = archive.clinics.adminId;
    expect(await preview({ what: 'study', id, as })).toMatchObject({ isDeleted: true, counts: { images: 1 } });
    expect((await move({ what: 'study', id, as })).status).toBe(200);
    expect((await onlyStudyOf(to)).id).toBe(id);
  });

  test('of a deleted patient can be moved to another patient', async () => {
    await importAll(from, files(1, 1));
    const { id } = await onlyStudyOf(from);
    await archive.call(`/resource/patient/delete/${from}`, { method: 'DELETE', as: archive.clinics.adminId });
    const as = archive.clinics.adminId;
    expect(await preview({ what: 'study', id, as })).toMatchObject({ isDeleted: true });
    expect((await move({ what: 'study', id, as })).status).toBe(200);
    expect((await onlyStudyOf(to)).id).toBe(id);
  });
});

describe('a move is rejected', () => {
  test('to another clinic, to the same patient, and of a missing record', async () => {
    await importAll(from, files(1, 1));
    const { id } = await onlyStudyOf(from);
    const elsewhere = await archive.addPatient({ customerId: archive.clinics.otherCustomerId });
    const as = archive.clinics.superId;
    const request = { what: 'study', id } as const;
    expect(await statusAndCode(await move({ ...request, patientToId: elsewhere }))).toEqual([404, 'not-found']);
    expect(await statusAndCode(await move({ ...request, patientToId: elsewhere, as }))).toEqual([
      400,
      'invalid-request',
    ]);
    expect(await statusAndCode(await move({ ...request, patientToId: from }))).toEqual([400, 'invalid-request']);
    expect(await statusAndCode(await move({ what: 'study', id: randomUUID() }))).toEqual([404, 'not-found']);
    expect(await statusAndCode(await move({ ...request, as: archive.clinics.otherDoctorId }))).toEqual([
      404,
      'not-found',
    ]);
    expect(await statusAndCode(await requestPreview({ ...request, patientToId: elsewhere, as }))).toEqual([
      400,
      'invalid-request',
    ]);
    expect((await onlyStudyOf(from)).id).toBe(id);
  });

  test('into a study of another patient, and of a study into a study', async () => {
    await importAll(from, files(1, 1));
    await importAll(to, files(1, 1));
    const [source, target] = [await onlyStudyOf(from), await onlyStudyOf(to)];
    const [image] = imagesOf([source]);
    const own = { what: 'image', id: image, studyToId: source.id } as const;
    expect(await statusAndCode(await move(own))).toEqual([409, 'study-of-another-patient']);
    expect(await statusAndCode(await move({ what: 'study', id: source.id, studyToId: target.id }))).toEqual([
      400,
      'invalid-request',
    ]);
    expect(imagesOf(await studiesOf(from))).toEqual([image]);
  });

  test('when something changed since the preview, and when the record was moved already', async () => {
    const third = await newPatient();
    await importAll(from, files(1, 2));
    const study = await onlyStudyOf(from);
    const [image] = imagesOf([study]);
    const request = { what: 'study', id: study.id } as const;
    const { seen } = await preview(request);
    await archive.call(`/resource/image/delete/${image}`, { method: 'DELETE' });
    expect(await statusAndCode(await move({ ...request, seen }))).toEqual([409, 'conflict']);
    expect((await move({ ...request, patientToId: third })).status).toBe(200);
    expect(await statusAndCode(await move(request))).toEqual([409, 'conflict']);
    expect(await statusAndCode(await requestPreview(request))).toEqual([409, 'conflict']);
    // An edit of the study based on the first patient gets a conflict.
    const edit = { id: study.id, version: study.version, description: 'Ny', studyDate: null, accessionNumber: null };
    const edited = await archive.call('/resource/study/update', {
      method: 'PUT',
      body: JSON.stringify(edit),
      headers: { 'content-type': 'application/json' },
    });
    expect(await statusAndCode(edited)).toEqual([409, 'conflict']);
  });

  test('without the right to move studies', async () => {
    await importAll(from, files(1, 1));
    const { id } = await onlyStudyOf(from);
    const { doctorId } = archive.clinics;
    const doctor = archive.principals.get(doctorId);
    if (!doctor) throw new Error('no doctor');
    const limited = (...limits: string[]) =>
      archive.principals.set(doctorId, { ...doctor, permissions: [...defaultClaims.Doctor, ...limits] as never });
    try {
      limited('disable.move_study');
      expect(await statusAndCode(await move({ what: 'study', id }))).toEqual([403, 'no-right']);
      expect(await statusAndCode(await requestPreview({ what: 'study', id }))).toEqual([403, 'no-right']);
      limited('disable.new_study');
      const [image] = imagesOf([await onlyStudyOf(from)]);
      expect(await statusAndCode(await move({ what: 'image', id: image }))).toEqual([403, 'no-right']);
      limited('disable.delete_study');
      await archive.call(`/resource/image/delete/${image}`, { method: 'DELETE', as: archive.clinics.adminId });
      expect(await statusAndCode(await move({ what: 'image', id: image }))).toEqual([403, 'no-right']);
      expect((await move({ what: 'study', id })).status).toBe(200);
    } finally {
      archive.principals.set(doctorId, doctor);
    }
  });
});
