import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MergePreview, mergePreview } from '../../contract/merge.ts';
import type { Patient } from '../../contract/patients.ts';
import { problem } from '../../contract/problem.ts';
import type { Study } from '../../contract/studies.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { patientRecords } from './patient-records.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let from: string;
let to: string;
let [patients, count] = [0, 0];
const { newPatient, studiesOf } = patientRecords(() => archive);

const statusAndCode = async (reply: Response) => [reply.status, problem.parse(await reply.json()).code];
const patient = async (id: string): Promise<Patient> => (await archive.call(`/resource/patient/${id}`)).json();
const requestPreview = (patientFromId: string, patientToId: string, as?: string) =>
  archive.call(`/resource/study/move_all/preview?${new URLSearchParams({ patientFromId, patientToId })}`, {
    ...(as && { as }),
  });
const preview = async (): Promise<MergePreview> => mergePreview.parse(await (await requestPreview(from, to)).json());
const move = (body: object = {}, as?: string) =>
  archive.post('/resource/study/move_all', { patientFromId: from, patientToId: to, ...body }, as);

const files = (images: number, date = '20260312') => {
  count += 1;
  const study = `2.25.5${count}`;
  return Object.fromEntries(
    Array.from({ length: images }, (_, index) => [
      `${index}.dcm`,
      smallObject({
        StudyInstanceUID: study,
        SeriesInstanceUID: `${study}.1`,
        SOPInstanceUID: `${study}.1.${index}`,
        StudyDate: date,
        InstanceNumber: index + 1,
      }),
    ]),
  );
};
const importAll = async (...args: Parameters<ArchiveUnderTest['importAll']>) => {
  await archive.importAll(...args);
  await archive.archive.thumbnails.idle();
};
const viewsetOf = async (patientUID: string, study: Study | undefined) => {
  const reply = await archive.post('/resource/viewset/', {
    patientUID,
    currentStudyUID: study?.uid,
    currentViewsetUID: null,
    viewSetItems: [{ xPos: 0, yPos: 0, width: 100, height: 100, teeth: [11] }],
  });
  return (await reply.json()) as { viewSetUuid: string; version: number };
};
const plain = (studies: readonly Study[]) =>
  studies
    .map((study) => ({
      ...study,
      patientId: '',
      series: study.series.map((series) => ({
        ...series,
        images: series.images.map((image) => ({ ...image, activeImageThumbLink: '' })),
      })),
    }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));

beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());
beforeEach(async () => {
  patients += 1;
  from = await newPatient({ personalNumber: `RESERV-${10_000 + patients}` });
  to = await newPatient();
});

describe('merging a patient', () => {
  test('moves all studies with their contents to the other one, after a preview', async () => {
    await importAll(from, files(2, '20260901'));
    await importAll(from, files(1, '20260101'));
    await importAll(to, files(1, '20260601'));
    const [newer, older] = await studiesOf(from);
    const image = newer?.series[0]?.images[0]?.uid ?? '';
    const viewset = await viewsetOf(from, newer);
    const mounted = { viewsetUid: viewset.viewSetUuid, itemIndex: 0, imageUid: image, version: viewset.version };
    expect((await archive.post('/resource/viewset/image/mount', mounted)).status).toBe(200);
    const put = (target: string, body: object) =>
      archive.call(target, {
        method: 'PUT',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    const display = { viewsetUid: viewset.viewSetUuid, imageUid: image, display: null, version: 0 };
    expect((await put('/resource/viewset/image/display', display)).status).toBe(200);
    const length = {
      id: randomUUID(),
      kind: 'length',
      frame: 1,
      points: [
        [0, 0],
        [4, 4],
      ],
    };
    const marks = { imageUid: image, marks: [length], calibration: null, version: 0 };
    expect((await put('/resource/image/marks', marks)).status).toBe(200);
    const deletedFiles = files(1);
    await importAll(from, deletedFiles);
    const gone = (await studiesOf(from)).find(({ id }) => id !== newer?.id && id !== older?.id);
    await archive.call(`/resource/study/delete/${gone?.id}`, { method: 'DELETE', as: archive.clinics.adminId });
    const open = await archive.parse(await archive.begin(from, files(2)));
    const before = [...(await studiesOf(from)), ...(await studiesOf(to))];

    const seen = await preview();
    expect(seen).toMatchObject({
      from: { id: from, totalStudies: 2 },
      to: { id: to, totalStudies: 1 },
      counts: { studies: 2, deletedStudies: 1, images: 3, viewsets: 1, imports: 1 },
      studies: [
        { id: newer?.id, studyDate: '2026-09-01', images: 2, viewsets: 1 },
        { id: older?.id, studyDate: '2026-01-01', images: 1, viewsets: 0 },
      ],
      warnings: [],
    });
    const since = archive.events.length;
    const reply = await move({ seen: seen.seen });
    expect([reply.status, await reply.json()]).toEqual([200, seen.counts]);

    expect(await studiesOf(from)).toEqual([]);
    const after = await studiesOf(to);
    expect(plain(after)).toEqual(plain(before));
    expect(after.every(({ patientId }) => patientId === to)).toBe(true);
    expect(after.map(({ studyDate }) => studyDate)).toEqual(['2026-09-01', '2026-06-01', '2026-01-01']);
    expect(await patient(to)).toMatchObject({ totalStudies: 3, mainInfo: { lastStudyDate: '2026-09-01' } });
    // The first patient stays, with their data and without a study.
    expect(await patient(from)).toMatchObject({ totalStudies: 0, version: 1, mainInfo: { lastStudyDate: null } });

    const shown = await (await archive.call(`/resource/viewset/${viewset.viewSetUuid}`)).json();
    expect(shown.viewSetItems[0]).toMatchObject({
      displayVersion: 1,
      activeImage: { uid: image, marks: [length] },
    });
    expect((await archive.call(`/resource/viewset/get_image?imageUID=${image}`)).status).toBe(200);
    await archive.call(`/resource/study/restore/${gone?.id}`, { method: 'PUT', as: archive.clinics.adminId });
    expect((await studiesOf(to)).map(({ id }) => id)).toContain(gone?.id);

    expect((await archive.task(open.id)).patientId).toBe(to);
    const groups = [`clinic:${archive.clinics.customerId}`, `user:${archive.clinics.doctorId}`];
    expect(archive.events.slice(since, since + 2)).toEqual(
      [from, to].map((patientId) => ({ groups, event: { name: 'PatientChanged', body: { patientId } } })),
    );
    const entries = await archive.db
      .selectFrom('access_log')
      .select(['patient_id', 'action', 'object_id'])
      .where('action', 'in', ['patient.merged', 'study.moved'])
      .where('patient_id', 'in', [from, to])
      .orderBy('id')
      .execute();
    expect(entries.slice(0, 2)).toEqual([
      { patient_id: from, action: 'patient.merged', object_id: to },
      { patient_id: to, action: 'patient.merged', object_id: from },
    ]);
    expect(new Set(entries.slice(2).map(({ object_id }) => object_id))).toEqual(
      new Set([newer?.id, older?.id, gone?.id]),
    );
    expect(entries.slice(2).every((entry) => entry.action === 'study.moved' && entry.patient_id === from)).toBe(true);
  });

  test('without studies changes nothing', async () => {
    await importAll(to, files(1));
    const before = plain(await studiesOf(to));
    const reply = await move();
    expect(await reply.json()).toEqual({ studies: 0, deletedStudies: 0, images: 0, viewsets: 0, imports: 0 });
    expect(plain(await studiesOf(to))).toEqual(before);
  });

  test('is rejected when something has changed since the preview', async () => {
    await importAll(from, files(1));
    const changes: readonly (() => Promise<unknown>)[] = [
      () => importAll(from, files(1)),
      async () => {
        const [study] = await studiesOf(from);
        return archive.call(`/resource/study/delete/${study?.id}`, { method: 'DELETE' });
      },
      async () => viewsetOf(from, (await studiesOf(from))[0]),
      () => archive.begin(from, files(1)),
      () => archive.db.updateTable('patient').set({ version: 2 }).where('id', '=', to).execute(),
    ];
    for (const change of changes) {
      const { seen } = await preview();
      await change();
      const before = plain(await studiesOf(from));
      expect(await statusAndCode(await move({ seen }))).toEqual([409, 'conflict']);
      expect(plain(await studiesOf(from))).toEqual(before);
      expect(await studiesOf(to)).toEqual([]);
    }
    expect((await move({ seen: (await preview()).seen })).status).toBe(200);
    expect(await studiesOf(from)).toEqual([]);
  });

  test('moves a waiting import to the other patient, to be confirmed again', async () => {
    const other = await newPatient({ firstName: 'Nils', lastName: 'Berg', birthDate: '1990-02-02' });
    to = other;
    const sent = files(2);
    const { id, studies } = await archive.parse(await archive.begin(from, sent));
    const key = studies[0]?.key ?? '';
    await archive.post('/resource/ImageImport/decide', { id, key, patientId: from, mismatchConfirmed: true });
    expect((await archive.task(id)).studies[0]?.obstacles).toEqual([]);
    await move();
    const [study] = (await archive.task(id)).studies;
    expect(study).toMatchObject({ patient: { id: to }, obstacles: ['mismatch-not-confirmed'] });
    expect(await statusAndCode(await archive.post('/resource/ImageImport/dicom/import', { id }))).toEqual([
      409,
      'mismatch-not-confirmed',
    ]);
    await archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
    const done = await archive.waitForStep(id, 5);
    expect(done.files.map(({ status }) => status)).toEqual(['imported', 'imported']);
    expect(await studiesOf(from)).toEqual([]);
    expect((await studiesOf(to)).flatMap(({ series }) => series.flatMap(({ images }) => images))).toHaveLength(2);
  });

  test("sends files imported again to the study's current patient", async () => {
    const sent = files(2);
    await importAll(from, sent);
    await move();
    const again = await archive.importAll(to, sent);
    expect(again.files.map(({ status }) => status)).toEqual(['duplicate', 'duplicate']);
    const rejected = await archive.parse(await archive.begin(from, sent));
    expect(rejected.files.map(({ status, problem: why }) => [status, why])).toEqual(
      Array(2).fill(['refused', 'study-of-another-patient']),
    );
  });
});

describe('a preview warns', () => {
  const warningsFor = async (changes: Parameters<typeof newPatient>[0]) => {
    to = await newPatient(changes);
    return (await preview()).warnings;
  };
  test.each([
    [{}, []],
    [{ firstName: 'Asa Maria' }, []],
    [{ firstName: 'ÅSA', lastName: 'Lindstrom' }, []],
    [{ lastName: 'Lindström-Berg' }, []],
    [{ lastName: 'Berg' }, ['other-name']],
    [{ firstName: 'Eva' }, ['other-name']],
    [{ birthDate: '1980-01-02' }, ['other-birth-date']],
    [{ birthDate: null, sex: null }, []],
    [{ sex: 'M' as const }, ['other-sex']],
    [
      { firstName: 'Nils', lastName: 'Berg', birthDate: '1990-02-02', sex: 'M' as const },
      ['other-name', 'other-birth-date', 'other-sex'],
    ],
  ])('%j: %j', async (changes, warnings) => {
    expect(await warningsFor(changes)).toEqual(warnings);
  });
});

describe('a merge is rejected', () => {
  const both = async (patientFromId: string, patientToId: string, as?: string) => {
    const replies = [
      await requestPreview(patientFromId, patientToId, as),
      await archive.post('/resource/study/move_all', { patientFromId, patientToId }, as),
    ];
    return Promise.all(replies.map(async (reply) => [reply.status, await reply.json()]));
  };
  const notFound = [404, { code: 'not-found' }];
  const invalid = [400, { code: 'invalid-request', errors: [{ fieldKey: 'patientToId' }] }];

  test('with the same patient, a missing or deleted one, or one of another clinic', async () => {
    expect(await both(from, from)).toMatchObject([invalid, invalid]);
    await importAll(from, files(1));
    const elsewhere = await newPatient({ customerId: archive.clinics.otherCustomerId });
    const deleted = await newPatient();
    await archive.call(`/resource/patient/delete/${deleted}`, { method: 'DELETE', as: archive.clinics.adminId });
    for (const other of [randomUUID(), elsewhere, deleted]) {
      expect(await both(from, other)).toMatchObject([notFound, notFound]);
      expect(await both(other, from)).toMatchObject([notFound, notFound]);
    }
    expect(await both(from, elsewhere, archive.clinics.superId)).toMatchObject([invalid, invalid]);
    expect(await both(elsewhere, from, archive.clinics.superId)).toMatchObject([invalid, invalid]);
    expect(await studiesOf(from)).toHaveLength(1);
  });

  test('without the right to move studies', async () => {
    const { doctorId } = archive.clinics;
    const before = archive.principals.get(doctorId);
    if (!before) throw new Error('no doctor');
    archive.principals.set(doctorId, { ...before, permissions: [...before.permissions, 'disable.move_study'] });
    try {
      const rejected = [403, { code: 'no-right', claims: ['disable.move_study'] }];
      expect(await both(from, to)).toMatchObject([rejected, rejected]);
    } finally {
      archive.principals.set(doctorId, before);
    }
  });
});
