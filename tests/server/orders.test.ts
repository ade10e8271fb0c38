import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order, OrderStation } from '../../contract/orders.ts';
import { insertDicomDevice } from '../../server/db/stores/dicom-devices.ts';
import { mergePatients } from '../../server/db/stores/merge.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { orderBody } from './order-body.ts';
import { expectProblem } from './viewset-bench.ts';

let bench: ArchiveUnderTest;
let patientId: string;
beforeAll(async () => {
  bench = await archiveUnderTest();
  patientId = await bench.addPatient();
});
afterAll(() => bench.close());

const create = (more: object = {}, as = bench.clinics.doctorId) =>
  bench.post('/resource/orders/create', { ...orderBody(), patientId, ...more }, as);
const created = async (more: object = {}): Promise<Order> => {
  const reply = await create(more);
  expect(reply.status, await reply.clone().text()).toBe(200);
  return reply.json();
};
const cancel = (id: string) => bench.post('/resource/orders/cancel', { id }, bench.clinics.doctorId);
const listed = async (): Promise<{ orders: Order[]; stations: OrderStation[] }> =>
  (await bench.call(`/resource/orders/${patientId}`, { as: bench.clinics.doctorId })).json();
const addDevice = async (aeTitle: string, seesWorklist: boolean): Promise<string> => {
  const { customerId, adminId } = bench.clinics;
  const rights = { canRetrieve: false, canStore: true, atOnce: false, seesWorklist };
  const device = {
    customerId,
    name: aeTitle,
    aeTitle,
    address: '192.0.2.1',
    port: null,
    createdBy: adminId,
    ...rights,
  };
  const id = await bench.db.transaction().execute((transaction) => insertDicomDevice(transaction, device));
  return id ?? 'taken';
};
const expectInvalid = async (reply: Response, fieldKey: string) => {
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({ code: 'invalid-request', errors: [{ fieldKey }] });
};
const actionsOn = async (id: string) =>
  (await bench.db.selectFrom('access_log').selectAll().where('object_id', '=', id).orderBy('id').execute()).map(
    ({ action, patient_id }) => [action, patient_id],
  );

test('an order gets a study UID and an accession number of its own, and is listed newest first', async () => {
  const stationId = await addDevice('OPG', true);
  const first = await created({ procedure: ' Panorama före kirurgi ', comment: 'Käkled', stationId });
  const second = await created();
  expect(first).toMatchObject({
    procedure: 'Panorama före kirurgi',
    modality: 'PX',
    day: '2026-01-31',
    time: '09:30',
    comment: 'Käkled',
    station: { id: stationId, name: 'OPG' },
    status: 'scheduled',
    patientId,
  });
  expect(first.studyUid).toMatch(/^2\.25\.\d{1,39}$/);
  expect(first.accessionNumber).toMatch(/^[A-Z0-9]{1,16}$/);
  expect(second.studyUid).not.toBe(first.studyUid);
  expect(second.accessionNumber).not.toBe(first.accessionNumber);
  expect((await listed()).orders).toEqual([second, first]);
  expect(await actionsOn(first.id)).toEqual([['order.created', patientId]]);
});

test('images can be ordered on devices that ask for the worklist, and on no other', async () => {
  const [asking, sending] = [await addDevice('CBCT', true), await addDevice('PHOTO', false)];
  const { stations } = await listed();
  expect(stations.map(({ id }) => id)).toContain(asking);
  expect(stations.map(({ id }) => id)).not.toContain(sending);
  for (const stationId of [sending, randomUUID()]) await expectInvalid(await create({ stationId }), 'stationId');
});

test('a value that DICOM cannot hold is refused by its name', async () => {
  for (const [field, value] of [
    ['procedure', 'A\\B'],
    ['procedure', 'x'.repeat(65)],
    ['modality', 'XX'],
    ['day', '2026-02-30'],
    ['time', '24:00'],
    ['comment', 'x'.repeat(501)],
  ] as const)
    await expectInvalid(await create({ [field]: value }), field);
});

test('cancelling ends a scheduled order as cancelled and a begun one as discontinued, once', async () => {
  const [scheduled, begun] = [await created(), await created()];
  await bench.db.updateTable('imaging_order').set({ status: 'in-progress' }).where('id', '=', begun.id).execute();
  for (const { id } of [scheduled, begun]) expect((await cancel(id)).status).toBe(200);
  const statusOf = async (id: string) => (await listed()).orders.find((one) => one.id === id)?.status;
  expect(await statusOf(scheduled.id)).toBe('cancelled');
  expect(await statusOf(begun.id)).toBe('discontinued');
  await expectProblem(await cancel(scheduled.id), 409, 'conflict');
  expect(await actionsOn(scheduled.id)).toEqual([
    ['order.created', patientId],
    ['order.cancelled', patientId],
  ]);
});

test('the orders of a merged patient go to the other one', async () => {
  const { customerId, doctorId } = bench.clinics;
  const merged = await bench.addPatient({ customerId, personalNumber: '19121212-1212' });
  const { id } = await created({ patientId: merged });
  const merge = { from: merged, to: patientId, accountId: doctorId };
  await bench.db.transaction().execute((transaction) => mergePatients(transaction, merge, undefined));
  expect((await listed()).orders.map((one) => one.id)).toContain(id);
});
