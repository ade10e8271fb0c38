import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import {
  type DicomDevice,
  dicomDeviceCreate,
  dicomDeviceRemove,
  dicomDevices,
  dicomDeviceUpdate,
} from '../../contract/dicom-devices.ts';
import { dicomDeviceCalling } from '../../server/db/stores/dicom-devices.ts';
import { type EmployeesUnderTest, employeesUnderTest } from './employees-under-test.ts';

let test: EmployeesUnderTest;

beforeAll(async () => {
  test = await employeesUnderTest();
});
beforeEach(async () => {
  await test.db.deleteFrom('dicom_device').execute();
});
afterAll(() => test?.close());

const fields = {
  name: 'PACS',
  aeTitle: 'PACS',
  address: '192.0.2.7',
  port: 104,
  tls: false,
  canRetrieve: true,
  canStore: false,
  atOnce: false,
  seesWorklist: false,
  asksCommitment: false,
};
const added = async (more: object = {}, as = 'admin'): Promise<DicomDevice> => {
  const body = { customerId: test.clinics.customerId, ...fields, ...more };
  const reply = await test.callRoute(dicomDeviceCreate, as, { body });
  if (reply.status !== 200) throw new Error(`not added: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
};
const update = (id: string, more: object = {}, as = 'admin') =>
  test.callRoute(dicomDeviceUpdate, as, { body: { customerId: test.clinics.customerId, id, ...fields, ...more } });
const listed = async (): Promise<DicomDevice[]> =>
  (await test.callRoute(dicomDevices, 'admin', { params: { customerId: test.clinics.customerId } })).body.devices;

describe('a DICOM device', () => {
  it('is changed in every field, keeps its id, and that is logged', async () => {
    const pacs = await added();
    const changes = {
      name: 'PACS 2',
      aeTitle: 'PACS2',
      address: '2001:db8::8',
      port: 11_112,
      tls: true,
      canRetrieve: false,
      canStore: true,
      atOnce: true,
      seesWorklist: true,
      asksCommitment: true,
    };
    const reply = await update(pacs.id, { ...changes, address: '2001:DB8:0:0:0:0:0:8' });
    expect(reply).toMatchObject({ status: 200, body: { id: pacs.id, ...changes } });
    expect(await listed()).toEqual([reply.body]);
    expect(await dicomDeviceCalling(test.db, { aeTitle: 'PACS', address: '192.0.2.7' })).toBeUndefined();
    expect((await update(pacs.id, { port: null })).body).toMatchObject({ port: null, name: 'PACS' });
    expect((await test.entriesOf(pacs.id)).map(({ action, detail }) => [action, detail])).toEqual([
      ['dicom-device.created', 'PACS'],
      ['dicom-device.updated', 'PACS 2'],
      ['dicom-device.updated', 'PACS'],
    ]);
  });

  it('cannot take the title of another one, at the clinic or from the same address', async () => {
    const { otherCustomerId } = test.clinics;
    const pacs = await added();
    await added({ aeTitle: 'OPG', address: '192.0.2.8' });
    await added({ customerId: otherCustomerId, aeTitle: 'THEIRS', address: '192.0.2.9' }, 'super');
    const taken = { status: 409, body: { code: 'device-taken' } };
    expect(await update(pacs.id, { aeTitle: 'OPG' })).toMatchObject(taken);
    expect(await update(pacs.id, { aeTitle: 'THEIRS', address: '192.0.2.9' })).toMatchObject(taken);
    expect((await update(pacs.id, { aeTitle: 'THEIRS' })).status).toBe(200);
    expect((await update(pacs.id, { address: '192.0.2.8' })).status).toBe(200);
  });

  it('is changed only by those who may add one, at their clinic, while it is listed', async () => {
    const { otherCustomerId } = test.clinics;
    const pacs = await added();
    const claims = defaultClaims.CustomerAdmin.filter((claim) => claim !== 'user.delete');
    await test.addRole('Nästan administratör', 1, claims);
    await test.addUser('almost', 'Nästan administratör', test.clinics.customerId);
    expect(await update(pacs.id, {}, 'almost')).toMatchObject({ status: 403, body: { code: 'no-right' } });
    expect((await update(pacs.id, {}, 'doctor')).status).toBe(403);
    expect((await update(pacs.id, { customerId: otherCustomerId })).status).toBe(404);
    const other = await added({ customerId: otherCustomerId, aeTitle: 'THEIRS', address: '192.0.2.9' }, 'super');
    expect((await update(other.id)).status).toBe(404);
    await test.callRoute(dicomDeviceRemove, 'admin', { body: { customerId: test.clinics.customerId, id: pacs.id } });
    expect((await update(pacs.id)).status).toBe(404);
  });

  it.each([
    ['a long title', { aeTitle: 'A'.repeat(17) }],
    ['a host name', { address: 'pacs.clinic.example' }],
    ['port 0', { port: 0 }],
    ['no name', { name: ' ' }],
  ])('is not changed to %s', async (_, wrong) => {
    const pacs = await added();
    expect((await update(pacs.id, wrong)).status).toBe(400);
    expect(await listed()).toEqual([pacs]);
  });
});
