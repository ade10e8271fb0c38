import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Order } from '../../contract/orders.ts';
import { insertPatient } from '../../server/db/stores/patients.ts';
import { orderBody } from './order-body.ts';
import { type ServiceAccountsUnderTest, serviceAccountsUnderTest } from './service-accounts-under-test.ts';

let test: ServiceAccountsUnderTest;
let token: string;
let accountId: string;
const patientId = '0f7d7c1c-3a52-4f4b-a3a6-5d3a0a6a1f01';
const named = { personalNumber: '19800101-1234', lastName: 'Lindström', firstName: 'Åsa', birthDate: '1980-01-01' };

beforeAll(async () => {
  test = await serviceAccountsUnderTest();
  const { customerId } = test.clinics;
  const rest = { sex: null, comments: null, protectedIdentity: true };
  await insertPatient(test.db, { id: patientId, customerId, ...named, ...rest });
  const made = await test.made({ name: 'Journal', scopes: ['orders.write'] });
  accountId = made.account.id;
  token = await test.tokenOf(made);
});
afterAll(() => test?.close());

const post = async (call: string, body: object, as = token, clinic = test.clinics.customerId) => {
  const reply = await fetch(`${test.url}/resource/clinics/${clinic}/orders/${call}`, {
    method: 'POST',
    headers: { authorization: as, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: reply.status, body: await reply.json() };
};
const create = (patient: object = named, as?: string) => post('create', { ...orderBody(), patient }, as);
const entries = () =>
  test.db
    .selectFrom('access_log')
    .select(['account_id', 'customer_id', 'patient_id', 'action'])
    .where('account_id', '=', accountId)
    .where('action', 'like', 'order.%')
    .orderBy('id')
    .execute();

describe('a service account with orders.write', () => {
  it('orders images of a patient, lists and cancels them, each with an entry in the access log', async () => {
    const { customerId } = test.clinics;
    const made = await create();
    expect(made).toMatchObject({ status: 200, body: { patientId, procedure: 'Panorama', status: 'scheduled' } });
    const order: Order = made.body;
    expect(await post('list', { patient: named })).toMatchObject({ status: 200, body: { orders: [order] } });
    expect(await post('cancel', { id: order.id })).toEqual({ status: 200, body: {} });
    expect((await post('list', { patient: named })).body.orders).toEqual([{ ...order, status: 'cancelled' }]);
    expect((await post('cancel', { id: order.id })).status).toBe(409);
    const entry = { account_id: accountId, customer_id: customerId, patient_id: patientId };
    const actions = ['order.created', 'order.listed', 'order.cancelled', 'order.listed'];
    expect(await entries()).toEqual(actions.map((action) => ({ ...entry, action })));
  });

  it.each([
    ['an unknown personal number', { personalNumber: '19800101-1235' }, 404, 'patient.personalNumber'],
    ['another name', { lastName: 'Berg' }, 409, 'patient.lastName'],
    ['another birth date', { birthDate: '1980-01-02' }, 409, 'patient.birthDate'],
    ['no birth date', { birthDate: null }, 409, 'patient.birthDate'],
  ])('orders nothing for %s', async (_, changes, status, fieldKey) => {
    const before = await entries();
    for (const call of ['create', 'list']) {
      const body = call === 'create' ? orderBody() : {};
      const reply = await post(call, { ...body, patient: { ...named, ...changes } });
      expect(reply).toMatchObject({ status, body: { errors: [{ fieldKey }] } });
      expect(JSON.stringify(reply.body)).not.toMatch(/Lindström|1980/);
    }
    expect(await entries()).toEqual(before);
  });

  it('reaches no other clinic, no route of users and no image', async () => {
    const { otherCustomerId, customerId } = test.clinics;
    const { body: order } = await create();
    expect((await post('create', { ...orderBody(), patient: named }, token, otherCustomerId)).status).toBe(404);
    expect((await post('cancel', { id: order.id }, token, otherCustomerId)).status).toBe(404);
    const other = await test.tokenOf(
      await test.made({ scopes: ['orders.write'], customerIds: [otherCustomerId] }, 'super'),
    );
    expect((await post('cancel', { id: order.id }, other, otherCustomerId)).status).toBe(404);
    expect((await post('list', { patient: named }, other, otherCustomerId)).status).toBe(404);
    const headers = { authorization: token };
    expect((await fetch(`${test.url}/resource/orders/${patientId}`, { headers })).status).toBe(401);
    expect((await fetch(`${test.url}/dicomweb/${customerId}/studies`, { headers })).status).toBe(403);
  });

  it('is the only one: others get 403, and none once it is revoked', async () => {
    const reader = await test.tokenOf(await test.made({ scopes: ['dicomweb.read', 'dicomweb.write'] }));
    for (const call of ['list', 'create', 'cancel']) expect((await post(call, {}, reader)).status).toBe(403);
    const made = await test.made({ scopes: ['orders.write'] });
    const revoked = await test.tokenOf(made);
    expect((await create(named, revoked)).status).toBe(200);
    await test.revoke(made.account.id);
    expect((await create(named, revoked)).status).toBe(401);
  });
});

it('the example of the documentation works word for word', async () => {
  const text = readFileSync(path.join(import.meta.dirname, '../../docs/dicomweb-access.md'), 'utf8');
  const [, script = ''] = /```sh\n([^`]*?orders[^`]*)```/.exec(text) ?? [];
  const { account, secret } = await test.made({ scopes: ['orders.write'] });
  const set = `ARCHIVE=${test.url}; CLINIC=${test.clinics.customerId}; ID=${account.id}; SECRET=${secret}\n`;
  const { stdout } = await promisify(execFile)('bash', ['-ec', set + script.replace(/^ARCHIVE=.*$/m, '')]);
  expect(stdout).toMatch(/"status":"scheduled"/);
  expect(stdout.trim().endsWith('{}')).toBe(true);
});
