import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainDisplay } from '../../contract/displays.ts';
import { expectProblem, nowhere, turned, type ViewsetBench, viewsetBench } from './viewset-bench.ts';

let bench: ViewsetBench;
let images: string[];
let viewsetUid: string;
let imageUid: string;

beforeAll(async () => {
  bench = await viewsetBench();
  images = await bench.addImages(3);
  imageUid = images[0] ?? '';
  viewsetUid = (await bench.create('bitewings2')).viewSetUuid;
  await bench.mount({ viewsetUid, itemIndex: 0, imageUid });
});
afterAll(() => bench.close());

const marksSave = (body: object, as?: string) => bench.send('PUT', '/resource/image/marks', body, as);
const item = async () => (await bench.get(viewsetUid)).viewSetItems[0];
const imageInfo = async () => {
  const { data } = await (await bench.call(`/resource/study/bypatient/${bench.patientId}`)).json();
  return data[0].series[0].images.find(({ uid }: { uid: string }) => uid === imageUid);
};

test('display settings of an image in its viewset are saved with a version check, and only there', async () => {
  let reply: Response | undefined;
  const events = await bench.eventsOf(async () => {
    reply = await bench.saveDisplay({ viewsetUid, imageUid, display: turned, version: 0 });
  });
  expect(await reply?.json()).toEqual({ displayVersion: 1 });
  const { version } = await bench.get(viewsetUid);
  expect(events).toMatchObject([
    {
      name: 'ViewsetChanged',
      body: { patientId: bench.patientId, viewsetId: viewsetUid, version, imagesChanged: true },
    },
  ]);
  expect(await item()).toMatchObject({ display: turned, displayVersion: 1, rotation: 90, horizontalFlip: true });
  expect(await imageInfo()).toMatchObject({ display: null, displayVersion: 0 });
  for (const old of [0, 2])
    await expectProblem(
      await bench.saveDisplay({ viewsetUid, imageUid, display: plainDisplay, version: old }),
      409,
      'conflict',
    );
  await bench.saveDisplay({ viewsetUid, imageUid, display: plainDisplay, version: 1 });
  expect(await item()).toMatchObject({ display: plainDisplay, displayVersion: 2, rotation: 0, horizontalFlip: false });
  const row = bench.db.selectFrom('access_log').selectAll().where('action', '=', 'image.display-saved');
  expect((await row.execute()).map(({ object_id }) => object_id)).toEqual([imageUid, imageUid]);
});

test('reset settings follow the slot, and an older save is rejected', async () => {
  await bench.db
    .updateTable('viewset_item')
    .set({ rotation: 180, horizontal_flip: true })
    .where('viewset_id', '=', viewsetUid)
    .execute();
  const { displayVersion: version } = (await item()) ?? {};
  await bench.saveDisplay({ viewsetUid, imageUid, display: turned, version });
  const forgotten = await bench.saveDisplay({ viewsetUid, imageUid, display: null, version: 3 });
  expect(await forgotten.json()).toEqual({ displayVersion: 4 });
  expect(await item()).toMatchObject({ display: null, displayVersion: 4, rotation: 180, horizontalFlip: true });
  await expectProblem(await bench.saveDisplay({ viewsetUid, imageUid, display: turned, version: 3 }), 409, 'conflict');
  await expectProblem(await bench.saveDisplay({ viewsetUid, imageUid, display: turned, version: 0 }), 409, 'conflict');
});

test('they stay while the image is in the tray, and apply again when it is mounted', async () => {
  await bench.saveDisplay({ viewsetUid, imageUid, display: turned, version: 4 });
  await bench.unmount({ viewsetUid, itemIndex: 0, imageUid });
  const inTray = await bench.saveDisplay({ viewsetUid, imageUid, display: { ...turned, gamma: 3 }, version: 5 });
  expect(await inTray.json()).toEqual({ displayVersion: 6 });
  await bench.mount({ viewsetUid, itemIndex: 1, imageUid });
  expect((await bench.get(viewsetUid)).viewSetItems[1]).toMatchObject({ display: { gamma: 3 }, displayVersion: 6 });
  await bench.mount({ viewsetUid, itemIndex: 0, imageUid });
});

test('outside any viewset they are saved with the image', async () => {
  const events = await bench.eventsOf(() =>
    bench.saveDisplay({ viewsetUid: null, imageUid, display: turned, version: 0 }),
  );
  expect(events.map(({ name, body }) => [name, body])).toEqual([['PatientChanged', { patientId: bench.patientId }]]);
  expect(await imageInfo()).toMatchObject({ display: turned, displayVersion: 1 });
  await expectProblem(
    await bench.saveDisplay({ viewsetUid: null, imageUid, display: null, version: 0 }),
    409,
    'conflict',
  );
});

test('of two concurrent saves one succeeds', async () => {
  const other = images[1] ?? '';
  for (const alone of [null, viewsetUid])
    for (let version = 0; version < 4; version += 1) {
      const save = (gamma: number) =>
        bench.saveDisplay({ viewsetUid: alone, imageUid: other, display: { ...plainDisplay, gamma }, version });
      const replies = await Promise.all([save(1), save(2), save(3)]);
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    }
});

test('only images and viewsets of one accessible patient are accepted', async () => {
  const { customerId, otherDoctorId } = bench.clinics;
  const patient = await bench.addPatient({ customerId, personalNumber: '19700101-4444' });
  const [strange = ''] = await bench.addImages(1, patient, '2.25.50');
  const body = { viewsetUid, imageUid: strange, display: null, version: 0 };
  await expectProblem(await bench.saveDisplay(body), 409, 'image-of-another-patient');
  await expectProblem(await bench.saveDisplay({ ...body, imageUid: nowhere }), 404, 'not-found');
  await expectProblem(await bench.saveDisplay({ ...body, viewsetUid: nowhere, imageUid }), 404, 'not-found');
  for (const where of [viewsetUid, null])
    await expectProblem(
      await bench.saveDisplay({ ...body, imageUid, viewsetUid: where }, otherDoctorId),
      404,
      'not-found',
    );
  await expectProblem(
    await bench.saveDisplay({ ...body, display: { ...plainDisplay, gamma: 0 } }),
    400,
    'invalid-request',
  );
});

test('measurements and calibration are saved together, with a version check', async () => {
  const length = {
    id: randomUUID(),
    kind: 'length',
    frame: 1,
    points: [
      [1.5, 2],
      [3, 4.25],
    ],
  };
  const angle = {
    id: randomUUID(),
    kind: 'angle',
    frame: 1,
    points: [
      [0, 0],
      [1, 1],
      [2, 0],
    ],
  };
  const body = { imageUid, marks: [length, angle], calibration: { mmPerPixel: 0.0195 }, version: 0 };
  let reply: Response | undefined;
  const events = await bench.eventsOf(async () => {
    reply = await marksSave(body);
  });
  expect(await reply?.json()).toEqual({ marksVersion: 1 });
  expect(events.map(({ name }) => name)).toEqual(['PatientChanged']);
  const { marks, calibration } = body;
  expect(await imageInfo()).toMatchObject({ marks, calibration, marksVersion: 1 });
  expect((await item())?.activeImage).toMatchObject({ marks, calibration, marksVersion: 1 });
  await expectProblem(await marksSave({ ...body, marks: [length] }), 409, 'conflict');
  await marksSave({ ...body, marks: [], calibration: null, version: 1 });
  expect(await imageInfo()).toMatchObject({ marks: [], calibration: null, marksVersion: 2 });
  await expectProblem(await marksSave({ ...body, version: 2 }, bench.clinics.otherDoctorId), 404, 'not-found');
  const beyond = await marksSave({ ...body, marks: [{ ...length, frame: 2 }], version: 2 });
  expect([beyond.status, await beyond.json()]).toMatchObject([
    400,
    { code: 'invalid-request', errors: [{ fieldKey: 'marks.0.frame' }] },
  ]);
  const rows = await bench.db.selectFrom('access_log').selectAll().where('action', '=', 'image.measured').execute();
  expect(rows.map(({ object_id }) => object_id)).toEqual([imageUid, imageUid]);
});

test('a repeated save whose reply was lost succeeds', async () => {
  const [, , other = ''] = images;
  const sent = { viewsetUid: null, imageUid: other, display: turned, version: 0 };
  for (const _ of ['sent', 'sent again'])
    expect(await (await bench.saveDisplay(sent)).json()).toEqual({ displayVersion: 1 });
  await expectProblem(await bench.saveDisplay({ ...sent, display: plainDisplay }), 409, 'conflict');
  const marks = { imageUid: other, marks: [], calibration: { mmPerPixel: 0.02 }, version: 0 };
  for (const _ of ['sent', 'sent again']) expect(await (await marksSave(marks)).json()).toEqual({ marksVersion: 1 });
  await expectProblem(await marksSave({ ...marks, calibration: { mmPerPixel: 0.03 } }), 409, 'conflict');
});

test('the list of studies shows a filled slot as its viewset does, and none once the image is deleted', async () => {
  const mounted = async () => {
    const { data } = await (await bench.call(`/resource/study/bypatient/${bench.patientId}`)).json();
    return data[0].viewsets[0].mounted;
  };
  const { activeImage, ...slot } = (await item()) ?? {};
  expect(slot).toMatchObject({ display: { gamma: 3 }, displayVersion: 6 });
  expect(await mounted()).toEqual([{ ...slot, imageUid: activeImage?.uid }]);
  expect((await bench.send('DELETE', `/resource/image/delete/${imageUid}`, undefined)).status).toBe(200);
  expect(await mounted()).toEqual([]);
});
