import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordChange } from '../../contract/changes.ts';
import { expectRejected } from './append-only.ts';
import { expectProblem, nowhere, type ViewsetBench, viewsetBench } from './viewset-bench.ts';

let bench: ViewsetBench;

beforeAll(async () => {
  bench = await viewsetBench();
});
afterAll(() => bench.close());

let patients = 0;
const newPatient = () => {
  patients += 1;
  return bench.addPatient({ customerId: bench.clinics.customerId, personalNumber: `19700101${1000 + patients}` });
};

let studies = 0;
/** Ids of new images and of the study that they have of their own. */
const newStudy = async (count = 1, patientId = bench.patientId) => {
  studies += 1;
  const uid = `2.25.66${studies}`;
  const images = await bench.addImages(count, patientId, uid);
  const { id: studyId } = await bench.db
    .selectFrom('study')
    .select('id')
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow();
  const { id: seriesId } = await bench.db
    .selectFrom('series')
    .select('id')
    .where('study_id', '=', studyId)
    .executeTakeFirstOrThrow();
  return { uid, studyId, seriesId, images, imageId: images[0] ?? 'not imported' };
};
const edited = async (target: string, body: object, as?: string) => {
  const reply = await bench.send('PUT', target, body, as);
  expect(reply.status, await reply.clone().text()).toBe(200);
  return reply.json();
};
const editImage = (uid: string, version: number, changes: object, as?: string) =>
  edited('/resource/image/update', { uid, version, imageComment: null, teeth: null, ...changes }, as);
const read = (subject: string, id: string, as?: string) =>
  bench.call(`/resource/changes/${subject}/${id}`, { ...(as && { as }) });
const changesOf = async (subject: string, id: string, as?: string): Promise<RecordChange[]> =>
  (await (await read(subject, id, as)).json()).changes;
const values = (changes: readonly RecordChange[]) =>
  changes.map(({ subject, field, before, after }) => [subject, field, before, after]);
const move = async (
  what: string,
  id: string,
  patientFromId: string,
  patientToId: string,
  studyToId: string | null = null,
) => {
  const body = { what, id, patientFromId, patientToId, studyToId };
  const reply = await bench.post('/resource/move', body);
  expect(reply.status, await reply.clone().text()).toBe(200);
  return (await reply.json()) as { id: string; studyId: string };
};

test('the old value of edited teeth and comment, who and when stay readable', async () => {
  const { imageId } = await newStudy();
  expect(await changesOf('image', imageId)).toEqual([]);
  await editImage(imageId, 1, { teeth: [36], imageComment: 'Karies' });
  await editImage(imageId, 2, { teeth: [37], imageComment: 'Karies' }, bench.clinics.adminId);
  await editImage(imageId, 3, { teeth: null, imageComment: null });
  const changes = await changesOf('image', imageId);
  expect(values(changes)).toEqual([
    ['image', 'teeth', [37], []],
    ['image', 'comment', 'Karies', null],
    ['image', 'teeth', [36], [37]],
    ['image', 'teeth', [], [36]],
    ['image', 'comment', null, 'Karies'],
  ]);
  const { doctorId, adminId } = bench.clinics;
  expect(changes.map(({ author }) => author.id)).toEqual([doctorId, doctorId, adminId, doctorId, doctorId]);
  expect(changes.every(({ changedAt }) => Math.abs(Date.parse(changedAt) - Date.now()) < 60_000)).toBe(true);
});

test('the old teeth of a mounted image are those of its slot, which were shown', async () => {
  const { uid, imageId } = await newStudy();
  const viewset = await bench.create('bitewings2', { currentStudyUID: uid });
  await bench.mount({ viewsetUid: viewset.viewSetUuid, itemIndex: 0, imageUid: imageId });
  const slot = viewset.viewSetItems[0]?.teeth;
  await editImage(imageId, 1, { teeth: [47] });
  expect(values(await changesOf('image', imageId))).toEqual([['image', 'teeth', slot, [47]]]);
});

test('the old teeth of an image are not those of a mount in the recycle bin', async () => {
  const [{ imageId }, mounting] = [await newStudy(), await newStudy()];
  const viewset = await bench.create('bitewings2', { currentStudyUID: mounting.uid });
  const { viewSetUuid: viewsetUid } = viewset;
  expect((await bench.mount({ viewsetUid, itemIndex: 0, imageUid: imageId })).status).toBe(200);
  expect((await bench.send('DELETE', `/resource/study/delete/${mounting.studyId}`)).status).toBe(200);
  await editImage(imageId, 1, { teeth: [47] });
  expect(values(await changesOf('image', imageId))).toEqual([['image', 'teeth', [], [47]]]);
});

test('the old date, description and accession number of a study stay readable, for its images too', async () => {
  const { studyId, imageId } = await newStudy();
  const study = { id: studyId, version: 1, description: 'Check-up', accessionNumber: null };
  await edited('/resource/study/update', { ...study, studyDate: '2026-03-11' });
  await edited('/resource/study/update', {
    ...study,
    version: 2,
    description: 'Akut',
    studyDate: null,
    accessionNumber: 'A1',
  });
  const expected = [
    ['study', 'accessionNumber', null, 'A1'],
    ['study', 'studyDate', '2026-03-11', null],
    ['study', 'description', 'Check-up', 'Akut'],
    ['study', 'studyDate', '2026-03-12', '2026-03-11'],
  ];
  expect(values(await changesOf('study', studyId))).toEqual(expected);
  expect(values(await changesOf('image', imageId))).toEqual(expected);
});

test('an edit that changes nothing, or that is rejected, records nothing', async () => {
  const { studyId, imageId } = await newStudy();
  await editImage(imageId, 1, {});
  const body = { uid: imageId, version: 1, imageComment: 'Ny', teeth: [11] };
  await expectProblem(await bench.send('PUT', '/resource/image/update', body), 409, 'conflict');
  const study = { id: studyId, version: 7, description: 'Ny', studyDate: null, accessionNumber: null };
  await expectProblem(await bench.send('PUT', '/resource/study/update', study), 409, 'conflict');
  expect(await changesOf('image', imageId)).toEqual([]);
});

test('a study, series or image moved to another patient and back names both patients each time', async () => {
  const other = await newPatient();
  const names = { [bench.patientId]: 'first', [other]: 'other' };
  const moves = (changes: readonly RecordChange[]) =>
    changes.map((change) =>
      change.field === 'patient' ? [change.subject, names[change.before.id], names[change.after.id]] : change,
    );
  const { studyId } = await newStudy();
  await move('study', studyId, bench.patientId, other);
  await move('study', studyId, other, bench.patientId);
  expect(moves(await changesOf('study', studyId))).toEqual([
    ['study', 'other', 'first'],
    ['study', 'first', 'other'],
  ]);
  const { images, seriesId } = await newStudy(2);
  await move('series', seriesId, bench.patientId, other);
  for (const id of images) expect(moves(await changesOf('image', id))).toEqual([['image', 'first', 'other']]);
  const { imageId } = await newStudy();
  await move('image', imageId, bench.patientId, other);
  const [change] = await changesOf('image', imageId);
  const { first_name, last_name, personal_number } = await bench.db
    .selectFrom('patient')
    .select(['first_name', 'last_name', 'personal_number'])
    .where('id', '=', bench.patientId)
    .executeTakeFirstOrThrow();
  expect(change).toMatchObject({
    field: 'patient',
    before: { id: bench.patientId, name: `${first_name} ${last_name}`, personalNumber: personal_number },
    after: { id: other },
  });
});

test('a merge of patients records the change for each study', async () => {
  const [from, to] = [await newPatient(), await newPatient()];
  const { studyId, imageId } = await newStudy(1, from);
  const reply = await bench.post('/resource/study/move_all', { patientFromId: from, patientToId: to });
  expect(reply.status, await reply.text()).toBe(200);
  for (const [subject, id] of [
    ['study', studyId],
    ['image', imageId],
  ] as const)
    expect(await changesOf(subject, id)).toMatchObject([
      {
        subject: 'study',
        field: 'patient',
        before: { id: from },
        after: { id: to },
        author: { id: bench.clinics.doctorId },
      },
    ]);
});

test('a change keeps the name that its author had', async () => {
  const { imageId } = await newStudy();
  await editImage(imageId, 1, { teeth: [11] }, bench.clinics.adminId);
  const [before] = await changesOf('image', imageId);
  await bench.db
    .updateTable('account')
    .set({ last_name: 'Nyefternamn' })
    .where('id', '=', bench.clinics.adminId)
    .execute();
  expect((await changesOf('image', imageId))[0]?.author).toEqual(before?.author);
});

test('no statement changes or deletes a recorded change, not even in a session without ordinary triggers', async () => {
  const { imageId } = await newStudy();
  await editImage(imageId, 1, { teeth: [11] });
  const tables = ['image_change', 'study_change', 'patient_change'];
  const statements = tables.flatMap((table) => [
    `update ${table} set author_name = 'x'`,
    `delete from ${table}`,
    `truncate ${table}`,
  ]);
  await expectRejected(bench.db, statements);
});

test('changes are read by those who see the image only, and reading them is logged for every patient that they name', async () => {
  const other = await newPatient();
  const { imageId } = await newStudy();
  await move('image', imageId, bench.patientId, other);
  await expectProblem(await read('image', imageId, bench.clinics.otherDoctorId), 404, 'not-found');
  await expectProblem(await read('study', nowhere), 404, 'not-found');
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from access_log`.execute(bench.db);
  await changesOf('image', imageId);
  const logged = await bench.db
    .selectFrom('access_log')
    .select(['action', 'patient_id'])
    .where('id', '>', rows[0]?.id ?? 0)
    .orderBy('action')
    .execute();
  expect(logged).toEqual([
    { action: 'changes.opened', patient_id: other },
    { action: 'patient.listed', patient_id: bench.patientId },
  ]);
});
