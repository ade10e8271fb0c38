import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order, OrderPatient } from '../../contract/orders.ts';
import { noteOrdersBegun } from '../../server/db/stores/orders.ts';
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

const created = async (more: object = {}): Promise<Order> => {
  const body = { ...orderBody(), patientId, ...more };
  return (await bench.post('/resource/orders/create', body, bench.clinics.doctorId)).json();
};
const update = ({ id, version }: Order, more: object = {}, as = bench.clinics.doctorId) =>
  bench.post('/resource/orders/update', { ...orderBody(), id, version, ...more }, as);
const stored = ({ id }: Order) =>
  bench.db.selectFrom('imaging_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const setStatus = ({ id }: Order, status: Order['status']) =>
  bench.db.updateTable('imaging_order').set({ status }).where('id', '=', id).execute();
const dayOf = (day: string, as = bench.clinics.doctorId, customerId = bench.clinics.customerId) =>
  bench.call(`/resource/orders/day/${customerId}?day=${day}`, { as });
interface Day {
  readonly orders: Order[];
  readonly patients: OrderPatient[];
}
const on = async (day: string, as?: string): Promise<Day> => (await dayOf(day, as)).json();

test('a scheduled order is changed, with an entry in the access log, and keeps its study and number', async () => {
  const order = await created();
  const mark = bench.events.length;
  const values = { procedure: 'CBCT höger käke', modality: 'CT', day: '2026-02-01', time: '14:15', comment: 'Visdom' };
  const reply = await update(order, values);
  expect(reply.status).toBe(200);
  expect(await reply.json()).toEqual({ ...order, ...values, version: 2 });
  expect(bench.events.slice(mark).map(({ event }) => event)).toEqual([{ name: 'OrdersChanged', body: { patientId } }]);
  const entries = await bench.db
    .selectFrom('access_log')
    .select(['action', 'account_id', 'patient_id'])
    .where('object_id', '=', order.id)
    .where('action', '=', 'order.changed')
    .execute();
  expect(entries).toEqual([{ action: 'order.changed', account_id: bench.clinics.doctorId, patient_id: patientId }]);
});

test('an order that another user has changed meanwhile is not overwritten', async () => {
  const order = await created();
  await update(order, { procedure: 'First' });
  await expectProblem(await update(order, { procedure: 'Second' }), 409, 'conflict');
  expect(await stored(order)).toMatchObject({ procedure_text: 'First', version: 2 });
});

test('an order that has begun or ended is not changed, and the error says so', async () => {
  for (const status of ['in-progress', 'completed', 'discontinued', 'cancelled'] as const) {
    const order = await created();
    await setStatus(order, status);
    await expectProblem(await update(order, { procedure: 'Too late' }), 409, 'order-not-scheduled');
    expect(await stored(order)).toMatchObject({ procedure_text: 'Panorama', status });
  }
});

test('an order is changed by users of its clinic only, on devices of the clinic that ask for the worklist', async () => {
  const order = await created();
  await expectProblem(await update(order, {}, bench.clinics.otherDoctorId), 404, 'not-found');
  const reply = await update(order, { stationId: randomUUID() });
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({ errors: [{ fieldKey: 'stationId' }] });
  expect(await stored(order)).toMatchObject({ version: 1 });
});

test('images that come for a cancelled order leave it cancelled', async () => {
  const [cancelled, scheduled] = [await created(), await created()];
  await setStatus(cancelled, 'cancelled');
  const owner = { customerId: bench.clinics.customerId, patientId };
  await noteOrdersBegun(bench.db, owner, [cancelled.studyUid, scheduled.studyUid]);
  expect([(await stored(cancelled)).status, (await stored(scheduled)).status]).toEqual(['cancelled', 'in-progress']);
});

test('the orders of a day are those of the clinic, in the order of their time, each logged', async () => {
  const day = '2026-03-02';
  const [late, early] = [await created({ day, time: '15:00' }), await created({ day, time: '08:30' })];
  await created({ day: '2026-03-03' });
  await setStatus(late, 'cancelled');
  const { orders, patients } = await on(day);
  expect(orders.map(({ id, status }) => [id, status])).toEqual([
    [early.id, 'scheduled'],
    [late.id, 'cancelled'],
  ]);
  const { first_name: firstName, last_name: lastName } = await bench.db
    .selectFrom('patient')
    .select(['first_name', 'last_name'])
    .where('id', '=', patientId)
    .executeTakeFirstOrThrow();
  expect(patients).toMatchObject([{ id: patientId, firstName, lastName, protectedIdentity: false }]);
  const logged = await bench.db
    .selectFrom('access_log')
    .select('object_id')
    .where('action', '=', 'order.listed')
    .where('object_id', 'in', [early.id, late.id])
    .execute();
  expect(logged).toHaveLength(2);
  expect((await dayOf(day, bench.clinics.otherDoctorId)).status).toBe(404);
  expect((await dayOf('2026-02-30')).status).toBe(400);
});

test('the orders of a day leave out protected identities for users without the right, and deleted patients', async () => {
  const day = '2026-03-09';
  const { customerId, adminId } = bench.clinics;
  const protectedId = await bench.addPatient({ customerId, personalNumber: '19121212-1212' });
  const order = await created({ patientId: protectedId, day });
  const protect = (isProtected: boolean) =>
    bench.db
      .updateTable('patient')
      .set({ has_protected_identity: isProtected })
      .where('id', '=', protectedId)
      .execute();
  await protect(true);
  expect(await on(day)).toMatchObject({ orders: [], patients: [] });
  expect(await on(day, adminId)).toMatchObject({
    orders: [{ id: order.id, patientId: protectedId }],
    patients: [{ id: protectedId, protectedIdentity: true }],
  });
  await protect(false);
  expect((await on(day)).orders).toHaveLength(1);
  await bench.db.updateTable('patient').set({ deleted_at: new Date() }).where('id', '=', protectedId).execute();
  expect(await on(day)).toMatchObject({ orders: [], patients: [] });
});
