import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Order } from '../../contract/orders.ts';
import type { DicomJson } from '../../dicom/dicom-json.ts';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { openBackplane } from '../../server/db/backplane.ts';
import { connect } from '../../server/db/client.ts';
import { encodeIdentifier } from '../../server/dicom-gateway/encode-identifier.ts';
import { commandFields, statuses } from '../../server/dimse/message/message.ts';
import { modalityPerformedStep } from '../../server/dimse/provider/supported-syntaxes.ts';
import { openAssociation } from '../../server/dimse/user/open-association.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { type GatewayUnderTest, gatewayTitle, gatewayUnderTest } from './gateway-under-test.ts';
import { orderBody } from './order-body.ts';
import { deviceOf, quickTimes } from './receiving.ts';

let archive: ArchiveUnderTest;
let gateway: GatewayUnderTest;
let patientId: string;
let unitId: string;

beforeAll(async () => {
  archive = await archiveUnderTest({ receivingTimes: quickTimes });
  gateway = await gatewayUnderTest(archive);
  patientId = await archive.addPatient();
});
afterAll(async () => {
  await gateway?.close();
  await archive?.close();
});
beforeEach(async () => {
  await archive.db.deleteFrom('imaging_order').execute();
  await archive.db.deleteFrom('performed_step').execute();
  await archive.db.deleteFrom('dicom_device').execute();
  unitId = await gateway.addDevice({ aeTitle: 'UNIT', canRetrieve: false, seesWorklist: true });
  return () => expect(gateway.failures).toEqual([]);
});

const newUid = () => `2.25.${BigInt(`0x${randomUUID().replaceAll('-', '')}`)}`;
const createOrder = async (): Promise<Order> =>
  (await archive.post('/resource/orders/create', { ...orderBody(), patientId }, archive.clinics.doctorId)).json();
const statusOf = async ({ id }: Order) =>
  (await archive.db.selectFrom('imaging_order').select('status').where('id', '=', id).executeTakeFirst())?.status;
const cancel = ({ id }: Order) => archive.post('/resource/orders/cancel', { id }, archive.clinics.doctorId);

/** Sends one message about a step in an association of its own, and returns the response. */
const report = async (kind: 'create' | 'set', uid: string, attributes: DicomJson, aeTitle = 'UNIT') => {
  const node = { host: '127.0.0.1', port: gateway.port, aeTitle: gatewayTitle };
  const syntax = transferSyntaxes.implicitLittleEndian;
  const contexts = [{ id: 1, abstractSyntax: modalityPerformedStep, transferSyntaxes: [syntax] }];
  const association = await openAssociation(node, aeTitle, contexts);
  if (association.contexts.size === 0) return null;
  const named =
    kind === 'create'
      ? { affectedSopClassUid: modalityPerformedStep, ...(uid && { affectedSopInstanceUid: uid }) }
      : { requestedSopClassUid: modalityPerformedStep, requestedSopInstanceUid: uid };
  const commandField = kind === 'create' ? commandFields.createRequest : commandFields.setRequest;
  const dataSet = Readable.from([encodeIdentifier(attributes, false)]);
  await association.send(1, { commandField, messageId: 7, ...named }, dataSet);
  const message = await association.receive();
  await association.release();
  return message?.command ?? null;
};
const status = (...codes: readonly string[]): DicomJson => ({ '00400252': { vr: 'CS', Value: [...codes] } });
const scheduled = (...orders: readonly Pick<Order, 'studyUid'>[]): DicomJson => ({
  '00400270': { vr: 'SQ', Value: orders.map(({ studyUid }) => ({ '0020000D': { vr: 'UI', Value: [studyUid] } })) },
});
const begin = async (...orders: readonly Pick<Order, 'studyUid'>[]) => {
  const uid = newUid();
  const answer = await report('create', uid, { ...status('IN PROGRESS'), ...scheduled(...orders) });
  expect(answer).toMatchObject({
    commandField: 0x8140,
    status: statuses.success,
    affectedSopClassUid: modalityPerformedStep,
    affectedSopInstanceUid: uid,
  });
  return uid;
};

describe('the steps that a device reports', () => {
  it('begin an order and complete or stop it, each with an entry in the access log', async () => {
    for (const [code, expected] of [
      ['COMPLETED', 'completed'],
      ['DISCONTINUED', 'discontinued'],
    ] as const) {
      const order = await createOrder();
      const uid = await begin(order);
      expect(await statusOf(order)).toBe('in-progress');
      expect(await report('set', uid, status('IN PROGRESS'))).toMatchObject({ status: statuses.success });
      expect(await statusOf(order)).toBe('in-progress');
      const answer = await report('set', uid, status(code));
      expect(answer).toMatchObject({ commandField: 0x8120, status: statuses.success, affectedSopInstanceUid: uid });
      expect(await statusOf(order)).toBe(expected);
      const entries = await archive.db
        .selectFrom('access_log')
        .select(['account_id', 'patient_id', 'detail'])
        .where('object_id', '=', order.id)
        .where('action', '=', 'order.reported')
        .orderBy('id')
        .execute();
      const by = { account_id: unitId, patient_id: patientId };
      expect(entries).toEqual([
        { ...by, detail: 'in-progress' },
        { ...by, detail: expected },
      ]);
    }
  });

  it('may be of several orders, of none, or follow one another', async () => {
    const [one, other] = [await createOrder(), await createOrder()];
    const uid = await begin(one, other);
    await report('set', uid, status('COMPLETED'));
    expect([await statusOf(one), await statusOf(other)]).toEqual(['completed', 'completed']);
    const again = await begin(one);
    expect([await statusOf(one), await statusOf(other)]).toEqual(['in-progress', 'completed']);
    await report('set', again, status('DISCONTINUED'));
    expect([await statusOf(one), await statusOf(other)]).toEqual(['discontinued', 'completed']);
    await begin({ studyUid: newUid() });
  });

  it('are refused with the status codes of the standard', async () => {
    const order = await createOrder();
    const uid = await begin(order);
    const complete = { ...status('IN PROGRESS'), ...scheduled(order) };
    expect(await report('create', uid, complete)).toMatchObject({ status: 0x0111 });
    expect(await report('set', newUid(), status('COMPLETED'))).toMatchObject({ status: 0x0112 });
    expect(await report('set', uid, status('DONE'))).toMatchObject({ status: 0x0106 });
    expect(await report('create', newUid(), { ...status('COMPLETED'), ...scheduled(order) })).toMatchObject({
      status: 0x0106,
    });
    expect(await report('create', newUid(), scheduled(order))).toMatchObject({ status: 0x0120 });
    expect(await report('create', newUid(), status('IN PROGRESS'))).toMatchObject({ status: 0x0120 });
    expect(await report('create', '', complete)).toMatchObject({ status: 0x0117 });
    await report('set', uid, status('COMPLETED'));
    expect(await report('set', uid, status('DISCONTINUED'))).toMatchObject({ status: 0x0110, errorId: 0xa710 });
    expect(await statusOf(order)).toBe('completed');
  });

  it('are those of the clinic of the device, and of no device without the right', async () => {
    const order = await createOrder();
    const uid = await begin(order);
    const { otherCustomerId: customerId } = archive.clinics;
    await gateway.addDevice({ aeTitle: 'THEIRS', customerId, seesWorklist: true });
    await gateway.addDevice({ aeTitle: 'PACS', seesWorklist: false, canStore: true });
    expect(await report('set', uid, status('COMPLETED'), 'THEIRS')).toMatchObject({ status: 0x0112 });
    const theirs = { ...status('IN PROGRESS'), ...scheduled(await createOrder()) };
    expect(await report('create', uid, theirs, 'THEIRS')).toMatchObject({ status: statuses.success });
    expect(await archive.db.selectFrom('imaging_order').select('status').execute()).toEqual(
      expect.arrayContaining([{ status: 'in-progress' }, { status: 'scheduled' }]),
    );
    expect(await report('set', uid, status('COMPLETED'), 'PACS')).toBeNull();
    expect(await statusOf(order)).toBe('in-progress');
  });

  it('leave a cancelled order cancelled, and say that it was performed', async () => {
    const [late, begun] = [await createOrder(), await createOrder()];
    await cancel(late);
    const uid = await begin(late, begun);
    expect([await statusOf(late), await statusOf(begun)]).toEqual(['cancelled', 'in-progress']);
    expect(await report('set', uid, status('COMPLETED'))).toMatchObject({ status: statuses.success });
    expect([await statusOf(late), await statusOf(begun)]).toEqual(['cancelled', 'completed']);
    const reply = await archive.call(`/resource/orders/${patientId}`, { as: archive.clinics.doctorId });
    const { orders }: { orders: Order[] } = await reply.json();
    expect(orders.find(({ id }) => id === late.id)).toMatchObject({ status: 'cancelled', isReported: true });
  });

  it('notify the users of the clinic, with the id of the patient only', async () => {
    const order = await createOrder();
    const payloads: string[] = [];
    const database = connect(archive.database.address);
    onTestFinished(database.close);
    const backplane = await openBackplane(database, {
      onMessage: (payload) => payloads.push(payload),
      onGap: () => undefined,
    });
    onTestFinished(() => backplane.close());
    await begin(order);
    await expect
      .poll(() => payloads.map((payload) => JSON.parse(payload)))
      .toContainEqual({
        groups: [`clinic:${archive.clinics.customerId}`],
        event: { name: 'OrdersChanged', body: { patientId } },
      });
  });

  it('decide the status also where images come after the step has ended', async () => {
    const order = await createOrder();
    const uid = await begin(order);
    await report('set', uid, status('COMPLETED'));
    const named = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa', PatientBirthDate: '19800101' };
    const image = { StudyInstanceUID: order.studyUid, SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
    const { id } = await deviceOf(archive).sendStudy({ ...image, ...named });
    await archive.waitForStep(id, 5);
    expect(await statusOf(order)).toBe('completed');
    expect((await cancel(order)).status).toBe(409);
  });
});
