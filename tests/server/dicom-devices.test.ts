import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessLogGet, accessLogUsers } from '../../contract/access-log.ts';
import { defaultClaims } from '../../contract/claims.ts';
import {
  type DicomDevice,
  dicomDeviceCreate,
  dicomDeviceEcho,
  dicomDeviceRemove,
  dicomDevices,
  dicomDevicesAtMost,
} from '../../contract/dicom-devices.ts';
import { logTexts } from '../../server/access-log/log-texts.ts';
import { insertAccesses } from '../../server/db/stores/access-log.ts';
import { dicomDestination, dicomDeviceCalling } from '../../server/db/stores/dicom-devices.ts';
import { usersToReview } from '../../server/db/stores/log-reviews.ts';
import { rejections } from '../../server/dimse/pdu/pdu.ts';
import { stockholmDay } from '../../server/domain/stockholm-time.ts';
import { freePort } from '../free-port.ts';
import { startArchive } from './dimse/peers.ts';
import { type EmployeesUnderTest, employeesUnderTest } from './employees-under-test.ts';

let test: EmployeesUnderTest;

beforeAll(async () => {
  test = await employeesUnderTest();
});
beforeEach(async () => {
  await test.db.deleteFrom('dicom_device').execute();
});
afterAll(() => test?.close());

const bodyOf = (more: object = {}) => ({
  customerId: test.clinics.customerId,
  name: 'PACS på lasarettet',
  aeTitle: 'PACS',
  address: '192.0.2.7',
  port: 104,
  canRetrieve: true,
  canStore: false,
  atOnce: false,
  ...more,
});
const add = (more: object = {}, as = 'admin') => test.callRoute(dicomDeviceCreate, as, { body: bodyOf(more) });
const added = async (more: object = {}, as = 'admin'): Promise<DicomDevice> => {
  const { status, body } = await add(more, as);
  if (status !== 200) throw new Error(`not added: ${status} ${JSON.stringify(body)}`);
  return body;
};
const listed = async (as = 'admin', customerId = test.clinics.customerId): Promise<DicomDevice[]> =>
  (await test.callRoute(dicomDevices, as, { params: { customerId } })).body.devices;
const remove = (id: string, as = 'admin', customerId = test.clinics.customerId) =>
  test.callRoute(dicomDeviceRemove, as, { body: { customerId, id } });
const echo = (id: string, as = 'admin', customerId = test.clinics.customerId) =>
  test.callRoute(dicomDeviceEcho, as, { body: { customerId, id } });

describe('the DICOM devices of a clinic', () => {
  it('are added, listed by name and removed, and that is logged', async () => {
    const pacs = await added();
    const unit = await added({
      name: 'Orthopantomograf',
      aeTitle: ' OPG 1 ',
      address: '192.0.2.8',
      port: null,
      canRetrieve: false,
    });
    expect(unit).toMatchObject({ aeTitle: 'OPG 1', port: null, canRetrieve: false, contactAt: null, contact: null });
    expect(await listed()).toEqual([unit, pacs]);
    expect(
      (await test.callRoute(dicomDevices, 'admin', { params: { customerId: test.clinics.customerId } })).body.aeTitle,
    ).toBe('DENTARIUM');
    expect(await dicomDeviceCalling(test.db, { aeTitle: 'OPG 1', address: '192.0.2.8' })).toMatchObject({
      id: unit.id,
    });
    expect((await remove(unit.id)).status).toBe(200);
    expect((await remove(unit.id)).status).toBe(404);
    expect(await listed()).toEqual([pacs]);
    expect(await dicomDeviceCalling(test.db, { aeTitle: 'OPG 1', address: '192.0.2.8' })).toBeUndefined();
    const entry = {
      account_id: test.clinics.adminId,
      customer_id: test.clinics.customerId,
      detail: 'Orthopantomograf',
    };
    expect(await test.entriesOf(unit.id)).toEqual([
      { action: 'dicom-device.created', ...entry },
      { action: 'dicom-device.removed', ...entry },
    ]);
  });

  it('are of one clinic by title and address, and have one title at a clinic', async () => {
    const { otherCustomerId } = test.clinics;
    await added();
    const refused = { status: 409, body: { code: 'device-taken' } };
    expect(await add()).toMatchObject(refused);
    expect(await add({ address: '192.0.2.9' })).toMatchObject(refused);
    expect(await add({ customerId: otherCustomerId }, 'super')).toMatchObject(refused);
    await added({ customerId: otherCustomerId, address: '192.0.2.9' }, 'super');
    await added({ aeTitle: 'pacs' });
    const found = await dicomDestination(test.db, { customerId: otherCustomerId, aeTitle: 'PACS' });
    expect(found).toMatchObject({ customerId: otherCustomerId, address: '192.0.2.9' });
  });

  it('are called by TLS only when they are listed so', async () => {
    const { port } = await startArchive();
    const place = { address: '127.0.0.1', port };
    const plain = await added(place);
    const byTls = await added({ ...place, aeTitle: 'SECURE', tls: true });
    expect([plain.tls, byTls.tls]).toEqual([false, true]);
    expect((await echo(plain.id)).body).toMatchObject({ contact: 'answered' });
    expect((await echo(byTls.id)).body).toMatchObject({ contact: 'unreachable', tls: true });
  });

  it('can be added again once they are removed', async () => {
    await remove((await added()).id);
    await added();
  });

  it('have an address as the system writes that of a peer', async () => {
    expect(await added({ address: '2001:DB8:0:0:0:0:0:7' })).toMatchObject({ address: '2001:db8::7' });
    expect(await added({ aeTitle: 'OTHER', address: '::ffff:192.0.2.7' })).toMatchObject({ address: '192.0.2.7' });
  });

  it('are those of the own clinic, except for users with access to all', async () => {
    const { otherCustomerId } = test.clinics;
    expect(await add({ customerId: otherCustomerId })).toMatchObject({ status: 404 });
    const other = await added({ customerId: otherCustomerId }, 'super');
    expect((await test.callRoute(dicomDevices, 'admin', { params: { customerId: otherCustomerId } })).status).toBe(404);
    for (const call of [remove, echo]) {
      expect((await call(other.id, 'admin', otherCustomerId)).status).toBe(404);
      expect((await call(other.id)).status).toBe(404);
    }
    expect(await listed('super', otherCustomerId)).toEqual([other]);
    expect(await listed()).toEqual([]);
  });

  it('are added only by users who could give the role of clinic administrators', async () => {
    const claims = defaultClaims.CustomerAdmin.filter((claim) => claim !== 'user.delete');
    await test.addRole('Nästan administratör', 1, claims);
    await test.addUser('almost', 'Nästan administratör', test.clinics.customerId);
    expect(await add({}, 'almost')).toMatchObject({ status: 403, body: { code: 'no-right', claims: ['user.delete'] } });
    expect(await add({}, 'doctor')).toMatchObject({ status: 403 });
    expect(await listed()).toEqual([]);
  });

  it('are at most a hundred', async () => {
    for (let count = 0; count < dicomDevicesAtMost; count += 1) await added({ aeTitle: `UNIT${count}` });
    expect(await add()).toMatchObject({
      status: 400,
      body: { errors: [{ fieldKey: 'devices', vars: { max: dicomDevicesAtMost } }] },
    });
  });

  it.each([
    ['a long title', { aeTitle: 'A'.repeat(17) }],
    ['no title', { aeTitle: '  ' }],
    ['a backslash in the title', { aeTitle: 'A\\B' }],
    ['a letter outside ASCII', { aeTitle: 'RÖNTGEN' }],
    ['a host name', { address: 'pacs.clinic.example' }],
    ['port 0', { port: 0 }],
  ])('are not added with %s', async (_, more) => {
    expect(await add(more)).toMatchObject({ status: 400 });
  });
});

describe('testing the connection to a device', () => {
  it('notes that it answers, rejects the archive, or does not answer', async () => {
    const archive = await startArchive();
    const answering = await added({ address: '127.0.0.1', port: archive.port });
    const { status, body } = await echo(answering.id);
    expect([status, body.contact]).toEqual([200, 'answered']);
    expect(Date.now() - new Date(body.contactAt).getTime()).toBeLessThan(60_000);
    expect(archive.reports[0]).toMatchObject({ callingAeTitle: 'DENTARIUM', calledAeTitle: 'PACS', end: 'released' });
    expect(await listed()).toEqual([body]);

    const strict = await startArchive({ admit: async () => rejections.callingAeTitle });
    const rejecting = await added({ aeTitle: 'STRICT', address: '127.0.0.1', port: strict.port });
    expect((await echo(rejecting.id)).body.contact).toBe('rejected');

    const absent = await added({ aeTitle: 'ABSENT', address: '127.0.0.1', port: await freePort() });
    expect((await echo(absent.id)).body.contact).toBe('unreachable');
    const actions = (await test.entriesOf(absent.id)).map(({ action }) => action);
    expect(actions).toEqual(['dicom-device.created', 'dicom-device.echoed']);
  });

  it('needs a port', async () => {
    const { id } = await added({ port: null });
    expect(await echo(id)).toMatchObject({ status: 400, body: { errors: [{ fieldKey: 'port' }] } });
    expect((await echo(randomUUID())).status).toBe(404);
  });
});

describe('the access log', () => {
  it.each(['sv', 'en', 'da', 'no'] as const)('names the device, also once it is removed (%s)', async (language) => {
    const { id } = await added();
    const { customerId } = test.clinics;
    const entry = {
      accountId: id,
      customerId,
      patientId: null,
      action: 'study.listed' as const,
      objectId: randomUUID(),
    };
    await insertAccesses(test.db, [{ ...entry, at: new Date() }]);
    await remove(id);
    const { body } = await test.callRoute(accessLogGet, 'admin', { query: { accountId: id } });
    expect(body.data).toMatchObject([
      { account: { id, name: 'PACS på lasarettet', email: '', isServiceAccount: false, isDevice: true }, role: null },
    ]);
    expect(logTexts(language).text('byDevice', { name: 'PACS' })).toContain('PACS');
    expect((await test.callRoute(accessLogUsers, 'admin')).body).toContainEqual({
      id,
      name: 'PACS på lasarettet',
      email: '',
    });
    expect(JSON.stringify((await test.callRoute(accessLogUsers, 'other')).body)).not.toContain(id);
    const today = stockholmDay(new Date());
    expect(await usersToReview(test.db, { from: today, to: today, customerId })).not.toContain(id);
  });
});
