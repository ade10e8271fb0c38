import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxNoteLength, type NoteVersion } from '../../contract/notes.ts';
import { expectRejected } from './append-only.ts';
import { expectProblem, nowhere, type ViewsetBench, viewsetBench } from './viewset-bench.ts';

let bench: ViewsetBench;
let colleagueId: string;

beforeAll(async () => {
  bench = await viewsetBench();
  colleagueId = await bench.addColleague();
});
afterAll(() => bench.close());

const newImage = async (): Promise<string> => (await bench.addImages(1))[0] ?? 'not imported';
const save = (body: object, as?: string) =>
  bench.send('PUT', '/resource/note', { subject: 'image', state: 'draft', text: 'Text', version: 0, ...body }, as);
const saved = async (body: object, as?: string): Promise<NoteVersion> => {
  const reply = await save(body, as);
  expect(reply.status, await reply.clone().text()).toBe(200);
  return reply.json();
};
const read = (id: string, subject = 'image', as?: string) =>
  bench.call(`/resource/note/${subject}/${id}`, { ...(as && { as }) });
const versionsOf = async (id: string, subject = 'image', as?: string): Promise<NoteVersion[]> =>
  (await (await read(id, subject, as)).json()).versions;
const listed = async (uid: string, patientId = bench.patientId) => {
  const { data } = await (await bench.call(`/resource/study/bypatient/${patientId}?ppage=100`)).json();
  return data
    .flatMap(({ series }: { series: { images: object[] }[] }) => series)
    .flatMap(({ images }: { images: object[] }) => images)
    .find((image: { uid: string }) => image.uid === uid);
};
const logged = (id: string) =>
  bench.db
    .selectFrom('access_log')
    .select(['action', 'account_id', 'patient_id', 'customer_id'])
    .where('object_id', '=', id)
    .where('action', 'like', 'note.%')
    .orderBy('id')
    .execute();

test('every save appends a version with its author, and earlier ones stay readable', async () => {
  const id = await newImage();
  expect(await versionsOf(id)).toEqual([]);
  expect(await logged(id)).toEqual([]);
  const first = await saved({ id, text: '  Karies 36?\r\nKontroll\u0000 om ett år \n' });
  expect(first).toMatchObject({ version: 1, state: 'draft', text: 'Karies 36?\nKontroll om ett år' });
  const second = await saved({ id, version: 1, state: 'signed', text: 'Karies 36' }, colleagueId);
  const third = await saved({ id, version: 2, text: 'Karies 36 distalt' });
  const removed = await saved({ id, version: 3, state: 'removed', text: undefined });
  expect(removed).toMatchObject({ version: 4, state: 'removed', text: '' });
  expect(await versionsOf(id, 'image', colleagueId)).toEqual([removed, third, second, first]);
  expect([first, second, third].map(({ author }) => author.id)).toEqual([
    bench.clinics.doctorId,
    colleagueId,
    bench.clinics.doctorId,
  ]);
  const { first_name, last_name } = await bench.db
    .selectFrom('account')
    .select(['first_name', 'last_name'])
    .where('id', '=', colleagueId)
    .executeTakeFirstOrThrow();
  expect(second.author.name).toBe(`${first_name} ${last_name}`);
});

test('a version keeps the name that its author had', async () => {
  const id = await newImage();
  const { author } = await saved({ id, state: 'signed' }, colleagueId);
  await bench.db.updateTable('account').set({ last_name: 'Nyefternamn' }).where('id', '=', colleagueId).execute();
  expect((await versionsOf(id))[0]?.author).toEqual(author);
  expect((await saved({ id, version: 1 }, colleagueId)).author.name).toContain('Nyefternamn');
});

test('no statement changes or deletes a version, not even in a session without ordinary triggers', async () => {
  const id = await newImage();
  await saved({ id, state: 'signed' });
  const viewsetId = (await bench.create('bitewings2')).viewSetUuid;
  await saved({ subject: 'viewset', id: viewsetId });
  for (const table of ['image_note', 'viewset_note'])
    await expectRejected(bench.db, [`update ${table} set text = 'x'`, `delete from ${table}`, `truncate ${table}`]);
  expect(await versionsOf(id)).toMatchObject([{ version: 1, state: 'signed', text: 'Text' }]);
});

test('a save on an outdated version is a conflict and stores nothing', async () => {
  const id = await newImage();
  await saved({ id, text: 'Min' });
  for (const version of [0, 2]) await expectProblem(await save({ id, version, text: 'Din' }), 409, 'conflict');
  expect(await versionsOf(id)).toMatchObject([{ version: 1, text: 'Min' }]);
  expect((await logged(id)).map(({ action }) => action)).toEqual(['note.saved', 'note.opened']);
});

test('of concurrent saves of different texts one succeeds', async () => {
  const id = await newImage();
  for (let version = 0; version < 4; version += 1) {
    const replies = await Promise.all(['a', 'b', 'c'].map((text) => save({ id, version, text: `${text}${version}` })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  }
  expect((await versionsOf(id)).map(({ version }) => version)).toEqual([4, 3, 2, 1]);
});

test('a repeated save whose reply was lost succeeds, but not as the text of a colleague', async () => {
  const id = await newImage();
  const first = await saved({ id });
  expect(await saved({ id })).toEqual(first);
  await expectProblem(await save({ id }, colleagueId), 409, 'conflict');
  await expectProblem(await save({ id, state: 'signed' }), 409, 'conflict');
  expect(await versionsOf(id)).toHaveLength(1);
});

test('lists give the version and state of a note, never its text', async () => {
  const id = await newImage();
  const viewset = await bench.create('bitewings2');
  await bench.mount({ viewsetUid: viewset.viewSetUuid, itemIndex: 0, imageUid: id });
  const states = async () => {
    const view = await bench.get(viewset.viewSetUuid);
    return [(await listed(id)).note, view.viewSetItems[0]?.activeImage?.note, view.note];
  };
  expect(await states()).toEqual([null, null, null]);
  await saved({ id, text: 'Hemlig anteckning' });
  const draft = { version: 1, state: 'draft' };
  expect(await states()).toEqual([draft, draft, null]);
  await saved({ subject: 'viewset', id: viewset.viewSetUuid, state: 'signed', text: 'Hemlig anteckning' });
  await saved({ id, version: 1, state: 'signed', text: 'Hemlig anteckning' });
  const [signed, ofMount] = [2, 1].map((version) => ({ version, state: 'signed' }));
  expect(await states()).toEqual([signed, signed, ofMount]);
  const everywhere = JSON.stringify([await listed(id), await bench.get(viewset.viewSetUuid)]);
  expect(everywhere).not.toContain('Hemlig');
  await saved({ id, version: 2, state: 'removed', text: undefined });
  const removed = { version: 3, state: 'removed' };
  expect(await states()).toEqual([removed, removed, ofMount]);
  expect((await bench.get(viewset.viewSetUuid)).version).toBe(viewset.version + 1);
});

test('reading and writing are logged with the patient, and announced to the clinic, without the text', async () => {
  const id = await newImage();
  const events = await bench.eventsOf(async () => {
    await saved({ id, text: 'Hemlig anteckning' });
    await saved({ id, version: 1, state: 'signed', text: 'Hemlig anteckning' }, colleagueId);
    await saved({ id, version: 2, state: 'removed', text: undefined });
    await versionsOf(id, 'image', colleagueId);
  });
  const { customerId, doctorId } = bench.clinics;
  const entry = { patient_id: bench.patientId, customer_id: customerId };
  expect(await logged(id)).toEqual([
    { ...entry, action: 'note.saved', account_id: doctorId },
    { ...entry, action: 'note.signed', account_id: colleagueId },
    { ...entry, action: 'note.removed', account_id: doctorId },
    { ...entry, action: 'note.opened', account_id: colleagueId },
  ]);
  expect(events.map(({ name, body }) => [name, body])).toEqual(
    Array(3).fill(['PatientChanged', { patientId: bench.patientId }]),
  );
  const log = await bench.db.selectFrom('access_log').selectAll().execute();
  expect(JSON.stringify([log, events])).not.toContain('Hemlig');
});

test('a clinic neither reads nor writes the notes of another', async () => {
  const id = await newImage();
  const viewsetId = (await bench.create('bitewings2')).viewSetUuid;
  await saved({ id });
  const { otherDoctorId } = bench.clinics;
  for (const [subject, subjectId] of [
    ['image', id],
    ['viewset', viewsetId],
    ['image', nowhere],
    ['viewset', nowhere],
    ['image', viewsetId],
    ['viewset', id],
  ] as const) {
    await expectProblem(await read(subjectId, subject, otherDoctorId), 404, 'not-found');
    await expectProblem(await save({ subject, id: subjectId, version: 1 }, otherDoctorId), 404, 'not-found');
  }
  expect(await versionsOf(id)).toHaveLength(1);
});

test('a note follows its image to another patient, with all versions', async () => {
  const id = await newImage();
  const first = await saved({ id });
  const second = await saved({ id, version: 1, state: 'signed' });
  const { customerId } = bench.clinics;
  const other = await bench.addPatient({ customerId, personalNumber: `19700101-${Math.floor(Math.random() * 9000)}` });
  const moved = { what: 'image', id, patientFromId: bench.patientId, patientToId: other, studyToId: null };
  expect((await bench.post('/resource/move', moved)).status).toBe(200);
  expect(await listed(id, other)).toMatchObject({ note: { version: 2, state: 'signed' } });
  expect(await versionsOf(id)).toEqual([second, first]);
  await saved({ id, version: 2 });
  expect((await logged(id)).at(-1)).toMatchObject({ action: 'note.saved', patient_id: other });
});

test('the note of a deleted image or mount is hidden and returns with it', async () => {
  const id = await newImage();
  const viewsetId = (await bench.create('bitewings2')).viewSetUuid;
  for (const [subject, subjectId] of [
    ['image', id],
    ['viewset', viewsetId],
  ]) {
    const first = await saved({ subject, id: subjectId });
    expect((await bench.send('DELETE', `/resource/${subject}/delete/${subjectId}`)).status).toBe(200);
    await expectProblem(await read(subjectId ?? '', subject), 404, 'not-found');
    await expectProblem(await save({ subject, id: subjectId, version: 1 }), 404, 'not-found');
    expect((await bench.send('PUT', `/resource/${subject}/restore/${subjectId}`)).status).toBe(200);
    expect(await versionsOf(subjectId ?? '', subject)).toEqual([first]);
  }
});

test('texts that are blank or too long are rejected without repeating them', async () => {
  const id = await newImage();
  const secret = `Hemlig${randomUUID()}`;
  for (const text of [' \r\n\t ', '\u0000', secret.padEnd(maxNoteLength + 1, 'x')]) {
    const reply = await save({ id, text });
    expect(reply.status).toBe(400);
    const body = await reply.text();
    expect(body).toContain('invalid-request');
    expect(body).not.toContain(secret);
  }
  expect((await saved({ id, text: `  ${'x'.repeat(maxNoteLength)}\r\n` })).text).toHaveLength(maxNoteLength);
});
