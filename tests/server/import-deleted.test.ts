import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ImportTask } from '../../contract/imports.ts';
import { problem } from '../../contract/problem.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { imagesOf, patientRecords } from './patient-records.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let first: string;
let other: string;
let count = 0;
const { newPatient, studiesOf, onlyStudyOf } = patientRecords(() => archive);

/** Images of one study and series; the files name Åsa Lindström by name and birth date alone. */
const files = (images: number, study?: string, part = 1) => {
  count += 1;
  const uid = study ?? `2.25.7${count}`;
  return Object.fromEntries(
    Array.from({ length: images }, (_, index) => [
      `${part}-${index}.dcm`,
      smallObject({
        StudyInstanceUID: uid,
        SeriesInstanceUID: `${uid}.1`,
        SOPInstanceUID: `${uid}.1.${part}.${index}`,
        PatientID: undefined,
      }),
    ]),
  );
};
const importAll = async (...args: Parameters<ArchiveUnderTest['importAll']>) => {
  const task = await archive.importAll(...args);
  await archive.archive.thumbnails.idle();
  return task;
};
const parsed = async (patientId: string, sent: Readonly<Record<string, Uint8Array>>): Promise<ImportTask> =>
  archive.parse(await archive.begin(patientId, sent));
const confirm = (id: string, mismatchConfirmed = false) =>
  archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed });
const remove = async (what: 'study' | 'series' | 'image' | 'patient', id: string | undefined) => {
  const reply = await archive.call(`/resource/${what}/delete/${id}`, { method: 'DELETE', as: archive.clinics.adminId });
  expect(reply.status).toBe(200);
};
const statusAndCode = async (reply: Response) => [reply.status, problem.parse(await reply.json()).code];
const restoredOf = (task: ImportTask) => task.files.map(({ status, wasRestored }) => [status, wasRestored]);

beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());
beforeEach(async () => {
  first = await newPatient();
  other = await newPatient({ firstName: 'Nils', lastName: 'Berg', birthDate: '1990-02-02' });
});

describe("files of a study in another patient's recycle bin", () => {
  test.each(['study', 'patient', 'series', 'image'] as const)(
    'wait for a user, who may move the study: deleted %s',
    async (what) => {
      const sent = files(2);
      await importAll(first, sent);
      const { id, uid, series } = await onlyStudyOf(first);
      if (what === 'image') for (const { uid: image } of series[0]?.images ?? []) await remove('image', image);
      else await remove(what, { study: id, patient: first, series: series[0]?.id }[what]);
      const task = await parsed(other, { ...sent, ...files(1, uid, 2) });
      expect(task).toMatchObject({ step: 3, error: false });
      expect(task.files.map(({ status }) => status).toSorted()).toEqual(['duplicate', 'duplicate', 'parsed']);
      expect(task.studies).toMatchObject([
        {
          inArchive: { studyId: id, patient: { id: first }, isDeleted: true },
          deletedFiles: what === 'patient' ? 0 : 2,
        },
      ]);
      expect(task.studies[0]?.obstacles).toContain('study-of-another-patient');
      expect(await statusAndCode(await confirm(task.id, true))).toEqual([409, 'study-of-another-patient']);

      const move = { what: 'study', id, patientFromId: first, patientToId: other, studyToId: null };
      expect((await archive.post('/resource/move', move, archive.clinics.adminId)).status).toBe(200);
      expect((await confirm(task.id, true)).status).toBe(200);
      const done = await archive.waitForStep(task.id, 5);
      // The move restored the study; what was deleted in it is restored by the import.
      const isLeft = what === 'series' || what === 'image';
      expect(done.files.filter(({ status }) => status === 'duplicate').map(({ wasRestored }) => wasRestored)).toEqual([
        isLeft,
        isLeft,
      ]);
      expect(imagesOf(await studiesOf(other))).toHaveLength(3);
    },
  );

  test('are rejected when confirmed without moving the study', async () => {
    const sent = files(1);
    await importAll(first, sent);
    const { id } = await onlyStudyOf(first);
    const open = await parsed(other, files(1));
    await archive.post('/resource/ImageImport/dicom/import', { id: open.id, mismatchConfirmed: true });
    await archive.waitForStep(open.id, 5);
    await remove('study', id);
    const task = await parsed(other, sent);
    expect(task.studies[0]?.obstacles).toContain('study-of-another-patient');
    // The other patient's study is restored before the import is confirmed.
    await archive.call(`/resource/study/restore/${id}`, { method: 'PUT', as: archive.clinics.adminId });
    expect(await statusAndCode(await confirm(task.id, true))).toEqual([409, 'study-of-another-patient']);
    expect(imagesOf(await studiesOf(first))).toHaveLength(1);
  });

  test('are rejected at once when the study is not deleted', async () => {
    const sent = files(1);
    await importAll(first, sent);
    const task = await parsed(other, sent);
    expect(task.error).toBe(true);
    expect(task.files.map(({ problem: why }) => why)).toEqual(['study-of-another-patient']);
  });
});

describe('files in the recycle bin of the same patient', () => {
  test.each(['study', 'series', 'image'] as const)(
    'are restored, and the import reports it: deleted %s',
    async (what) => {
      const sent = files(2);
      await importAll(first, sent);
      const study = await onlyStudyOf(first);
      const ids = imagesOf([study]);
      const id = what === 'study' ? study.id : what === 'series' ? study.series[0]?.id : ids[0];
      await remove(what, id);
      const task = await parsed(first, sent);
      const deletedFiles = what === 'image' ? 1 : 2;
      expect(task.studies).toMatchObject([{ deletedFiles, obstacles: [], inArchive: { isDeleted: what === 'study' } }]);
      expect((await confirm(task.id)).status).toBe(200);
      const done = await archive.waitForStep(task.id, 5);
      expect(done.files.map(({ status }) => status)).toEqual(['duplicate', 'duplicate']);
      expect(done.files.filter(({ wasRestored }) => wasRestored)).toHaveLength(deletedFiles);
      expect(imagesOf(await studiesOf(first))).toEqual(ids);
      // Existing images are not restored again.
      expect(restoredOf(await importAll(first, sent))).toEqual([
        ['duplicate', false],
        ['duplicate', false],
      ]);
    },
  );

  test('require another confirmation when they name another patient', async () => {
    const sent = files(1);
    await importAll(other, sent);
    const { id } = await onlyStudyOf(other);
    // All of it exists: nothing to confirm.
    expect((await parsed(other, sent)).studies).toMatchObject([{ match: 'same', obstacles: [] }]);
    await remove('study', id);
    const task = await parsed(other, sent);
    expect(task.studies).toMatchObject([{ match: 'differs', obstacles: ['mismatch-not-confirmed'], deletedFiles: 1 }]);
    expect(await statusAndCode(await confirm(task.id))).toEqual([409, 'mismatch-not-confirmed']);
    expect(await studiesOf(other)).toEqual([]);
    expect((await confirm(task.id, true)).status).toBe(200);
    expect(restoredOf(await archive.waitForStep(task.id, 5))).toEqual([['duplicate', true]]);
    expect((await onlyStudyOf(other)).id).toBe(id);
  });

  test.each(['study', 'series'] as const)(
    'are new files of a deleted %s: it is restored, and the import reports it',
    async (what) => {
      const sent = files(1);
      await importAll(first, sent);
      const study = await onlyStudyOf(first);
      await remove(what, what === 'study' ? study.id : study.series[0]?.id);
      const done = await importAll(first, files(1, study.uid, 2));
      expect(restoredOf(done)).toEqual([['imported', true]]);
      expect(imagesOf(await studiesOf(first))).toHaveLength(2);
    },
  );
});
