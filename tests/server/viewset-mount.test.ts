import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Viewset } from '../../contract/viewsets.ts';
import { expectProblem, nowhere, shown, turned, type ViewsetBench, viewsetBench } from './viewset-bench.ts';

let bench: ViewsetBench;
let images: string[];
/** A new viewset with four slots for each test. */
let viewset: Viewset;
let id: string;
const [a = 0, b = 1, c = 2, d = 3] = [0, 1, 2, 3];
const image = (index: number) => images[index] ?? '';
const put = (itemIndex: number, index: number, more: object = {}) =>
  bench.mount({ viewsetUid: id, itemIndex, imageUid: image(index), ...more });
const seen = async () => shown(await bench.get(id));

beforeAll(async () => {
  bench = await viewsetBench();
  images = await bench.addImages(5);
});
afterAll(() => bench.close());
beforeEach(async () => {
  if (viewset) await bench.send('DELETE', `/resource/viewset/delete/${id}`);
  viewset = await bench.create('bitewings4');
  id = viewset.viewSetUuid;
});

test('the tray of a new viewset holds unmounted images; a mounted image leaves it, and the clinic is notified', async () => {
  expect(shown(viewset)).toEqual({ slots: [null, null, null, null], tray: images });
  let reply: Response | undefined;
  const events = await bench.eventsOf(async () => {
    reply = await put(b, 0, { version: 1 });
  });
  const body: Viewset = await reply?.json();
  expect(body).toEqual(await bench.get(id));
  expect(body.version).toBe(2);
  expect(shown(body)).toEqual({ slots: [null, image(0), null, null], tray: images.slice(1) });
  const groups = [`clinic:${bench.clinics.customerId}`, `user:${bench.clinics.doctorId}`];
  expect(events).toEqual([
    { groups, name: 'ViewsetChanged', body: { patientId: bench.patientId, viewsetId: id, version: 2 } },
  ]);
  const log = await bench.db.selectFrom('access_log').selectAll().orderBy('id', 'desc').execute();
  expect(log.find(({ action }) => action === 'image.mounted')).toMatchObject({
    object_id: image(0),
    patient_id: bench.patientId,
    account_id: bench.clinics.doctorId,
    customer_id: bench.clinics.customerId,
  });
});

test('mounting in a filled slot moves its image to the end of the tray', async () => {
  await put(a, 0);
  await put(a, 1);
  expect(await seen()).toEqual({
    slots: [image(1), null, null, null],
    tray: [image(2), image(3), image(4), image(0)],
  });
});

test("mounting an image that is mounted here moves it, and swaps it with the slot's image", async () => {
  await put(a, 0);
  await put(b, 1);
  await put(c, 0);
  expect((await seen()).slots).toEqual([null, image(1), image(0), null]);
  await put(b, 0);
  expect((await seen()).slots).toEqual([null, image(0), image(1), null]);
  // Mounting it where it is mounted changes nothing and publishes nothing.
  const { version } = await bench.get(id);
  expect(await bench.eventsOf(() => put(b, 0, { version }))).toEqual([]);
  expect((await bench.get(id)).version).toBe(version);
});

test('unmounted images are at the end of the tray, in order', async () => {
  for (const slot of [a, b, c]) await put(slot, slot);
  for (const slot of [c, a, b])
    expect((await bench.unmount({ viewsetUid: id, itemIndex: slot, imageUid: image(slot) })).status).toBe(200);
  expect(await seen()).toEqual({
    slots: [null, null, null, null],
    tray: [image(3), image(4), image(2), image(0), image(1)],
  });
  const rows = await bench.db.selectFrom('viewset_detached').selectAll().where('viewset_id', '=', id).execute();
  expect(rows.map(({ position }) => position).toSorted()).toEqual([1, 2, 3]);
});

test('a move goes to a free slot, and swaps on a filled one', async () => {
  await put(a, 0);
  await put(b, 1);
  const within = (from: number, to: number, index: number, more: object = {}) =>
    bench.move({
      viewsetUidFrom: id,
      viewsetUidTo: id,
      itemIndexFrom: from,
      itemIndexTo: to,
      imageUid: image(index),
      ...more,
    });
  const [changed, ...others] = await (await within(a, d, 0, { version: 3 })).json();
  expect(others).toEqual([]);
  expect(shown(changed).slots).toEqual([null, image(1), null, image(0)]);
  await within(d, b, 0);
  expect((await seen()).slots).toEqual([null, image(0), null, image(1)]);
  await expectProblem(await within(b, a, 1), 409, 'conflict');
  await expectProblem(await within(b, 4, 0), 404, 'not-found');
  await expectProblem(await within(b, a, 0, { versionTo: 1 }), 409, 'conflict');
});

test('a move to another viewset swaps the images with their display settings, and requires its right', async () => {
  const other = await bench.create('bitewings2', { name: 'Other' });
  const to = other.viewSetUuid;
  await put(a, 0);
  await bench.mount({ viewsetUid: to, itemIndex: 1, imageUid: image(1) });
  await bench.saveDisplay({ viewsetUid: id, imageUid: image(0), display: turned, version: 0 });
  const body = {
    viewsetUidFrom: id,
    viewsetUidTo: to,
    itemIndexFrom: a,
    itemIndexTo: 1,
    imageUid: image(0),
    version: 2,
    versionTo: 2,
  };
  bench.allow(bench.clinics.doctorId, ['disable.move_view_set']);
  await expectProblem(await bench.move(body), 403, 'no-right');
  expect((await put(b, 0)).status).toBe(200);
  await put(a, 0);
  bench.allow(bench.clinics.doctorId, []);
  await expectProblem(await bench.move(body), 409, 'conflict');
  await expectProblem(await bench.move({ ...body, version: 4, versionTo: 1 }), 409, 'conflict');
  let moved: Viewset[] = [];
  const events = await bench.eventsOf(async () => {
    moved = await (await bench.move({ ...body, version: 4 })).json();
  });
  expect(moved.map(shown).map(({ slots }) => slots)).toEqual([
    [image(1), null, null, null],
    [null, image(0)],
  ]);
  expect(moved[1]?.viewSetItems[1]).toMatchObject({
    rotation: 90,
    horizontalFlip: true,
    display: turned,
    displayVersion: 1,
  });
  expect(events.map((event) => event.body)).toEqual([
    { patientId: bench.patientId, viewsetId: id, version: 5 },
    { patientId: bench.patientId, viewsetId: to, version: 3 },
  ]);
  // An image mounted in the other viewset too cannot be moved there again.
  await put(b, 0);
  const twice = { ...body, itemIndexFrom: b, itemIndexTo: 0, version: 6, versionTo: 3 };
  await expectProblem(await bench.move(twice), 409, 'conflict');
  await bench.send('DELETE', `/resource/viewset/delete/${to}`);
});

test('an image that is no longer in the slot is not unmounted', async () => {
  await put(a, 0);
  const unmount = (itemIndex: number, index: number) =>
    bench.unmount({ viewsetUid: id, itemIndex, imageUid: image(index) });
  await expectProblem(await unmount(a, 1), 409, 'conflict');
  await expectProblem(await unmount(b, 0), 409, 'conflict');
  await expectProblem(await unmount(4, 0), 404, 'not-found');
  await expectProblem(await put(4, 0), 404, 'not-found');
  await expectProblem(await put(b, 1, { version: 1 }), 409, 'conflict');
  bench.allow(bench.clinics.doctorId, ['disable.detach_image']);
  await expectProblem(await unmount(a, 0), 403, 'no-right');
  bench.allow(bench.clinics.doctorId, []);
  expect((await bench.get(id)).version).toBe(2);
});

test('an image of another study can be mounted; one of another patient or clinic, or a deleted one, cannot', async () => {
  const [far = ''] = await bench.addImages(1, bench.patientId, '2.25.40');
  expect((await put(a, 0)).status).toBe(200);
  expect((await bench.mount({ viewsetUid: id, itemIndex: b, imageUid: far })).status).toBe(200);
  const whole = await bench.get(id);
  expect(whole.viewSetItems[b]?.activeImage).toMatchObject({ uid: far, studyUid: '2.25.40', viewsetId: id });
  await bench.unmount({ viewsetUid: id, itemIndex: b, imageUid: far });
  expect((await seen()).tray.at(-1)).toBe(far);

  const { customerId, otherDoctorId } = bench.clinics;
  const otherPatient = await bench.addPatient({ customerId, personalNumber: '19700101-4444' });
  const [strange = ''] = await bench.addImages(1, otherPatient, '2.25.41');
  await expectProblem(
    await bench.mount({ viewsetUid: id, itemIndex: c, imageUid: strange }),
    409,
    'image-of-another-patient',
  );
  await expectProblem(await bench.mount({ viewsetUid: id, itemIndex: c, imageUid: nowhere }), 404, 'not-found');
  for (const call of [bench.mount, bench.unmount])
    await expectProblem(
      await call({ viewsetUid: id, itemIndex: a, imageUid: image(0) }, otherDoctorId),
      404,
      'not-found',
    );
  await bench.db.updateTable('image').set({ deleted_at: new Date() }).where('id', '=', far).execute();
  await expectProblem(await bench.mount({ viewsetUid: id, itemIndex: c, imageUid: far }), 404, 'not-found');
  expect((await seen()).tray).not.toContain(far);
});

test('deleting the study of a viewset deletes the viewset: its images are unmounted', async () => {
  const far = await bench.create('bitewings2', { currentStudyUID: null });
  await bench.mount({ viewsetUid: far.viewSetUuid, itemIndex: 0, imageUid: image(0) });
  expect((await seen()).tray).not.toContain(image(0));
  const { data } = await (await bench.call(`/resource/study/bypatient/${bench.patientId}`)).json();
  const study = data.find(({ uid }: { uid: string }) => uid === far.studyUid);
  expect((await bench.send('DELETE', `/resource/study/delete/${study.id}`)).status).toBe(200);
  expect((await bench.get(id)).detachedImages.map(({ uid, viewsetId }) => [uid, viewsetId])).toContainEqual([
    image(0),
    null,
  ]);
  await expectProblem(await bench.call(`/resource/viewset/${far.viewSetUuid}`), 404, 'not-found');
});
