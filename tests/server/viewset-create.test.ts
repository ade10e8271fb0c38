import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultTemplateId, type Viewset } from '../../contract/viewsets.ts';
import { standardTemplate } from '../../server/domain/standard-templates.ts';
import { expectProblem, nowhere, shown, type ViewsetBench, viewsetBench } from './viewset-bench.ts';

let bench: ViewsetBench;
let images: string[];

beforeAll(async () => {
  bench = await viewsetBench();
  images = await bench.addImages(2);
});
afterAll(() => bench.close());

const requestOf = (more: object = {}) => ({
  patientUID: bench.patientId,
  currentStudyUID: bench.studyUid,
  currentViewsetUID: null,
  ...more,
});
const post = (more: object = {}, as?: string) => bench.send('POST', '/resource/viewset/', requestOf(more), as);
const made = async (more: object = {}): Promise<Viewset> => (await post(more)).json();
const update = (body: object, as?: string) => bench.send('PUT', '/resource/viewset/update', body, as);
const remove = (id: string, as?: string) => bench.send('DELETE', `/resource/viewset/delete/${id}`, undefined, as);
const restore = (id: string, as?: string) => bench.send('PUT', `/resource/viewset/restore/${id}`, undefined, as);
const studies = async () => (await (await bench.call(`/resource/study/bypatient/${bench.patientId}`)).json()).data;
const lastOf = async (action: 'viewset.created' | 'viewset.edited' | 'viewset.deleted' | 'viewset.restored') => {
  const rows = bench.db.selectFrom('access_log').selectAll().where('action', '=', action).orderBy('id', 'desc');
  return (await rows.executeTakeFirst())?.object_id;
};

test('copies its template, so that later changes of the template do not affect it', async () => {
  const template = standardTemplate('fmx18');
  let viewset: Viewset | undefined;
  const events = await bench.eventsOf(async () => {
    viewset = await made({ templateUUID: template.uuid });
  });
  expect(viewset).toMatchObject({
    name: 'FMX 18',
    comments: null,
    templateUUID: template.uuid,
    width: 10_700,
    height: 3_900,
    version: 1,
    patientId: bench.patientId,
    studyUid: bench.studyUid,
  });
  const id = viewset?.viewSetUuid ?? '';
  const plain = { activeImage: null, display: null, displayVersion: 0 };
  expect(viewset?.viewSetItems).toEqual(template.viewSetItems.map(({ view: _, ...slot }) => ({ ...slot, ...plain })));
  expect(events.map(({ name, body }) => [name, body])).toEqual([
    ['ViewsetChanged', { patientId: bench.patientId, viewsetId: id, version: 1 }],
    ['PatientChanged', { patientId: bench.patientId }],
  ]);
  expect(await lastOf('viewset.created')).toBe(id);
  await bench.db.updateTable('template').set({ items: '[]', width: 1 }).where('id', '=', template.uuid).execute();
  expect(await bench.get(id)).toEqual(viewset);
});

test('places the images of the study that are in no mount when it is asked to, and logs each', async () => {
  const { uuid: templateUUID } = standardTemplate('bitewings4');
  const study = '2.25.1200';
  const [first = '', second = '', third = ''] = await bench.addImages(3, undefined, study);
  const teeth = async (id: string, chosen_teeth: number[]) =>
    bench.db.updateTable('image').set({ chosen_teeth }).where('id', '=', id).execute();
  const [left, right] = [
    standardTemplate('bitewings4').viewSetItems[3],
    standardTemplate('bitewings4').viewSetItems[0],
  ];
  await teeth(first, left?.teeth ?? []);
  await teeth(second, right?.teeth ?? []);
  await teeth(third, [11]);
  const asked = { currentStudyUID: study, templateUUID };
  const placed = await made({ ...asked, placeImages: true });
  expect(shown(placed)).toEqual({ slots: [second, null, null, first], tray: [third] });
  expect(await bench.get(placed.viewSetUuid)).toEqual(placed);
  const log = bench.db.selectFrom('access_log').selectAll().where('action', '=', 'image.mounted').orderBy('id', 'desc');
  expect((await log.limit(2).execute()).map(({ object_id }) => object_id).sort()).toEqual([first, second].sort());

  // They are in a mount now, so another one takes none of them.
  expect(shown(await made({ ...asked, placeImages: true }))).toEqual({
    slots: [null, null, null, null],
    tray: [third],
  });
  await remove(placed.viewSetUuid);
  expect(shown(await made(asked))).toMatchObject({ slots: [null, null, null, null] });
});

test('places the retake of an image that is not acceptable, and not what it replaces', async () => {
  const { uuid: templateUUID, viewSetItems } = standardTemplate('bitewings4');
  const study = '2.25.1201';
  const [rejected = '', retake = ''] = await bench.addImages(2, undefined, study);
  const chosen_teeth = [...(viewSetItems[0]?.teeth ?? [])];
  await bench.db.updateTable('image').set({ chosen_teeth }).where('id', 'in', [rejected, retake]).execute();
  const grade = { id: rejected, version: 0, grade: 'N', reason: 'movement' };
  expect((await bench.send('PUT', '/resource/grade', grade)).status).toBe(200);
  const placed = await made({ currentStudyUID: study, templateUUID, placeImages: true });
  expect(shown(placed)).toEqual({ slots: [retake, null, null, null], tray: [rejected] });
});

test('without a template it has the single slot of the default; a copy of another viewset has its slots and no images', async () => {
  const single = await made();
  expect([single.templateUUID, single.viewSetItems.length]).toEqual([defaultTemplateId, 1]);
  const four = await bench.create('bitewings4', { name: '  Fyra  ' });
  expect(four.name).toBe('Fyra');
  await bench.mount({ viewsetUid: four.viewSetUuid, itemIndex: 0, imageUid: images[0] });
  const copy = await made({ currentViewsetUID: four.viewSetUuid });
  expect(copy).toMatchObject({ name: 'Fyra', width: four.width, height: four.height, templateUUID: four.templateUUID });
  expect(copy.viewSetItems).toEqual(four.viewSetItems);
  for (const { viewSetUuid } of [single, four, copy]) await remove(viewSetUuid);
});

test('given slots are numbered in order, and their extent is the size of the viewset', async () => {
  const viewSetItems = [
    { xPos: 100, yPos: 0, width: 50.5, height: 80, rotation: 270, teeth: [18] },
    { xPos: 0, yPos: 40, width: 100, height: 60 },
  ];
  const viewset = await made({ viewSetItems, name: 'Egen' });
  expect(viewset).toMatchObject({ name: 'Egen', templateUUID: null, width: 150.5, height: 100 });
  expect(viewset.viewSetItems).toMatchObject([
    { itemIndex: 0, order: 1, ...viewSetItems[0], horizontalFlip: false },
    { itemIndex: 1, order: 2, ...viewSetItems[1], rotation: 0, teeth: [] },
  ]);
  await remove(viewset.viewSetUuid);
  const [first] = viewSetItems;
  for (const slot of [
    { ...first, teeth: [19] },
    { ...first, rotation: 45.5 },
    { ...first, width: 0 },
  ])
    await expectProblem(await post({ viewSetItems: [slot] }), 400, 'invalid-request');
});

test('without a study it creates one with a new UID, given the right', async () => {
  const before: { uid: string }[] = await studies();
  bench.allow(bench.clinics.doctorId, ['disable.new_study']);
  await expectProblem(await post({ currentStudyUID: null }), 403, 'no-right');
  expect((await studies()).length).toBe(before.length);
  bench.allow(bench.clinics.doctorId, ['disable.new_series']);
  await expectProblem(await post(), 403, 'no-right');
  bench.allow(bench.clinics.doctorId, []);
  const viewset = await made({ currentStudyUID: null, name: 'Ny undersökning' });
  expect(viewset.studyUid).toMatch(/^2\.25\.[1-9]\d{0,38}$/);
  expect(before.map(({ uid }) => uid)).not.toContain(viewset.studyUid);
  const [study] = (await studies()).filter(({ uid }: { uid: string }) => uid === viewset.studyUid);
  const studyDate = new Date().toLocaleDateString('sv-SE');
  expect(study).toMatchObject({ description: 'Ny undersökning', studyDate, viewsets: [{ slots: 1, filledSlots: 0 }] });
  const patient = await (await bench.call(`/resource/patient/${bench.patientId}`)).json();
  expect(patient.mainInfo.lastStudyDate).toBe(studyDate);
});

test('it is created only for accessible patients, studies, viewsets and templates', async () => {
  const { customerId, otherCustomerId, otherDoctorId, superId } = bench.clinics;
  const other = await bench.addPatient({ customerId, personalNumber: '19700101-4444' });
  const foreign = await bench.addPatient({ customerId: otherCustomerId, personalNumber: '19700101-5555' });
  await expectProblem(await post({ patientUID: foreign }), 404, 'not-found');
  await expectProblem(await post({}, otherDoctorId), 404, 'not-found');
  await expectProblem(await post({ patientUID: other }), 409, 'study-of-another-patient');
  await expectProblem(await post({ currentStudyUID: '2.25.9' }), 404, 'not-found');
  await expectProblem(await post({ patientUID: foreign }, superId), 404, 'not-found');
  await expectProblem(await post({ currentViewsetUID: nowhere }), 404, 'not-found');
  await expectProblem(await post({ templateUUID: nowhere }), 404, 'not-found');
  const body = {
    customerId: otherCustomerId,
    name: 'Deras',
    viewSetItems: [{ xPos: 0, yPos: 0, width: 1, height: 1 }],
  };
  const otherTemplate = await (await bench.send('POST', '/resource/ViewSetTemplate/', body, superId)).json();
  await expectProblem(await post({ templateUUID: otherTemplate.uuid }), 404, 'not-found');
  // A user of both clinics cannot use one clinic's template in the other.
  await expectProblem(await post({ templateUUID: otherTemplate.uuid }, superId), 404, 'not-found');
  const theirViewset = { patientUID: foreign, currentStudyUID: null, templateUUID: otherTemplate.uuid };
  expect((await post(theirViewset, superId)).status).toBe(200);
  // Rejected requests left no study behind.
  expect((await bench.db.selectFrom('study').select('id').where('patient_id', '=', other).execute()).length).toBe(0);
});

test('name and comments are edited with a version check', async () => {
  const { viewSetUuid, version } = await bench.create('bitewings2');
  const body = { viewSetUuid, version, name: 'Kontroll', comments: ' Vänster sida ' };
  let edited: Viewset | undefined;
  const events = await bench.eventsOf(async () => {
    edited = await (await update(body)).json();
  });
  expect(edited).toMatchObject({ name: 'Kontroll', comments: 'Vänster sida', version: 2 });
  expect(edited).toEqual(await bench.get(viewSetUuid));
  expect(events.map(({ name }) => name)).toEqual(['ViewsetChanged', 'PatientChanged']);
  expect(await lastOf('viewset.edited')).toBe(viewSetUuid);
  await expectProblem(await update(body), 409, 'conflict');
  await expectProblem(await update({ ...body, version: 2 }, bench.clinics.otherDoctorId), 404, 'not-found');
  await expectProblem(await update({ ...body, version: 2, name: ' ' }), 400, 'invalid-request');
  expect(await (await update({ ...body, version: 2, comments: '' })).json()).toMatchObject({ comments: null });
  await remove(viewSetUuid);
});

test('a deleted viewset returns its images to the study; restored, its images are mounted as before', async () => {
  const { viewSetUuid: id } = await bench.create('bitewings2');
  await bench.mount({ viewsetUid: id, itemIndex: 0, imageUid: images[0] });
  const before = await bench.get(id);
  const listed = async () =>
    (await studies())
      .flatMap((study: { viewsets: { viewSetUuid: string }[] }) => study.viewsets)
      .find(({ viewSetUuid }: { viewSetUuid: string }) => viewSetUuid === id);
  expect(await listed()).toMatchObject({ slots: 2, filledSlots: 1 });
  bench.allow(bench.clinics.doctorId, ['disable.delete_view_set']);
  await expectProblem(await remove(id), 403, 'no-right');
  await expectProblem(await restore(id), 403, 'no-right');
  bench.allow(bench.clinics.doctorId, []);
  await expectProblem(await remove(id, bench.clinics.otherDoctorId), 404, 'not-found');
  const events = await bench.eventsOf(() => remove(id));
  expect(events.map(({ name }) => name)).toEqual(['ViewsetChanged', 'PatientChanged']);
  expect(await lastOf('viewset.deleted')).toBe(id);
  expect(await listed()).toBeUndefined();
  await expectProblem(await bench.call(`/resource/viewset/${id}`), 404, 'not-found');
  await expectProblem(await bench.mount({ viewsetUid: id, itemIndex: 1, imageUid: images[1] }), 404, 'not-found');
  const other = await bench.create('single');
  expect(other.detachedImages.map(({ uid }) => uid)).toContain(images[0]);
  await expectProblem(await remove(id), 404, 'not-found');
  await expectProblem(await restore(id, bench.clinics.otherDoctorId), 404, 'not-found');
  expect(await (await restore(id)).json()).toEqual({ id });
  expect(await lastOf('viewset.restored')).toBe(id);
  expect(await bench.eventsOf(() => restore(id))).toEqual([]);
  expect(await bench.get(id)).toEqual({ ...before, version: before.version + 2 });
  await expectProblem(await remove(nowhere), 404, 'not-found');
});
