import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Customer,
  customerCreate,
  customerDelete,
  customerGet,
  customerGetAll,
  customerUpdate,
} from '../../contract/customers.ts';
import { customerRestore, deletedClinicsGet } from '../../contract/deleted-clinics.ts';
import { patientGet } from '../../contract/patients.ts';
import { statisticsOfCustomer } from '../../contract/statistics.ts';
import { viewsetGet } from '../../contract/viewsets.ts';
import { readConfig } from '../../server/config.ts';
import { type AdministrationBench, administrationBench } from './administration-bench.ts';
import { addRecord } from './authorization/record.ts';
import { password } from './clinic.ts';
import { addApproved } from './destruction-under-test.ts';
import { requestTokens } from './running-server.ts';

let bench: AdministrationBench;
beforeAll(async () => {
  bench = await administrationBench();
});
afterAll(() => bench?.close());

const dayMs = 86_400_000;
const fields = { organisationName: 'Nedlagda kliniken', address: 'Storgatan 1', telephone: '031-390 06 12' };
const create = async (): Promise<Customer> => (await bench.call(customerCreate, 'super', { body: fields })).body;
const remove = ({ id, version }: Customer) =>
  bench.call(customerDelete, 'super', { params: { id }, body: { version } });
const restore = (id: string, who = 'super') => bench.call(customerRestore, who, { params: { id } });
const listed = async () => (await bench.call(deletedClinicsGet, 'super')).body.data;
const deletedFor = (id: string, days: number) =>
  bench.db
    .updateTable('customer')
    .set({ deleted_at: new Date(Date.now() - days * dayMs) })
    .where('id', '=', id)
    .execute();

describe('the list of deleted clinics', () => {
  it('shows who deleted each clinic, when, and until when it can be restored', async () => {
    const [first, second] = [await create(), await create()];
    await remove(first);
    await remove(second);
    const rows = (await listed()).filter(({ id }: Customer) => [first.id, second.id].includes(id));
    expect(rows.map(({ id }: Customer) => id)).toEqual([second.id, first.id]);
    expect(rows[0]).toMatchObject({ name: 'Nedlagda kliniken', city: null, deletedBy: { id: bench.clinics.superId } });
    expect(Date.parse(rows[0].restorableUntil) - Date.parse(rows[0].deletedAt)).toBe(30 * dayMs);
    await restore(first.id);
    expect((await listed()).map(({ id }: Customer) => id)).not.toContain(first.id);
  });

  it('requires the right to delete clinics, and access to all of them', async () => {
    expect(await bench.call(deletedClinicsGet, 'admin')).toMatchObject({
      status: 403,
      body: { code: 'no-right', claims: ['customer.delete'] },
    });
    const claims = ['customer.delete'];
    await bench.db.updateTable('role').set({ claims }).where('name', '=', 'Doctor').execute();
    const { id, version } = await create();
    await remove({ id, version } as Customer);
    expect(await bench.call(deletedClinicsGet, 'doctor')).toMatchObject({ status: 200, body: { data: [] } });
    expect(await restore(id, 'doctor')).toMatchObject({ status: 404, body: { code: 'not-found' } });
    expect((await listed()).map((row: Customer) => row.id)).toContain(id);
  });
});

describe('restoring a clinic', () => {
  it('makes its records accessible and lets its users sign in again', async () => {
    const clinic = await create();
    const { id } = clinic;
    const record = await addRecord(bench.db, id, { sha256: 'a'.repeat(64), sizeBytes: 10 });
    const name = `left-${id.slice(0, 8)}`;
    await bench.add(name, 'CustomerAdmin', id);
    const calls = async () => ({
      clinic: await bench.call(customerGet, 'super', { params: { id } }),
      patient: await bench.call(patientGet, 'super', { params: { id: record.patientId } }),
      viewset: await bench.call(viewsetGet, 'super', { params: { id: record.viewsetId } }),
      statistics: await bench.call(statisticsOfCustomer, 'super', { params: { customerId: id } }),
    });
    const before = await calls();
    await remove(clinic);
    expect([...new Set(Object.values(await calls()).map(({ status }) => status))]).toEqual([404]);
    const credentials = { grant_type: 'password', username: `${name}@prov.example`, password, scope: 'openid' };
    expect((await requestTokens(bench.running.url, credentials)).ok).toBe(false);

    expect((await restore(id)).status).toBe(200);

    const after = await calls();
    expect(after.patient.body).toEqual(before.patient.body);
    expect(after.viewset.status).toBe(200);
    expect(after.statistics.body).toEqual(before.statistics.body);
    expect(after.clinic.body).toEqual({ ...before.clinic.body, version: clinic.version + 2 });
    expect((await requestTokens(bench.running.url, credentials)).ok).toBe(true);
    const found = (await bench.call(customerGetAll, 'super', { query: { q: 'nedlagda', ppage: 100 } })).body.data;
    expect(found.map((row: Customer) => row.id)).toContain(id);
    const imports = bench.db.selectFrom('import_task').select('cancelled').where('customer_id', '=', id);
    expect(await imports.execute(), 'imports stay ended').toEqual([{ cancelled: true }, { cancelled: true }]);
  });

  it('is logged once, however often it is asked for', async () => {
    const clinic = await create();
    await remove(clinic);
    const replies = await Promise.all([1, 2, 3].map(() => restore(clinic.id)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const entries = (await bench.logged()).filter(({ object_id }) => object_id === clinic.id);
    expect(entries.map(({ action }) => action)).toEqual(['clinic.created', 'clinic.deleted', 'clinic.restored']);
    expect(entries.at(-1)).toMatchObject({ account_id: bench.clinics.superId, customer_id: clinic.id });
  });

  it('rejects an edit that is older than the deletion', async () => {
    const clinic = await create();
    await remove(clinic);
    await restore(clinic.id);
    const body = { ...fields, id: clinic.id, version: clinic.version };
    expect(await bench.call(customerUpdate, 'super', { body })).toMatchObject({ status: 409 });
  });

  it('is no longer possible when the days have passed', async () => {
    const clinic = await create();
    await remove(clinic);
    await deletedFor(clinic.id, 30.01);
    expect(await restore(clinic.id)).toMatchObject({ status: 409, body: { code: 'restore-expired' } });
    expect((await bench.call(customerGet, 'super', { params: { id: clinic.id } })).status).toBe(404);
    await deletedFor(clinic.id, 29.99);
    expect((await restore(clinic.id)).status).toBe(200);
  });

  it('ends an order to destroy it, and is no longer possible when the destruction has begun', async () => {
    const clinic = await create();
    await remove(clinic);
    const order = await addApproved(
      { db: bench.db, clinics: bench.clinics },
      { kind: 'clinic', subjectId: clinic.id, customerId: clinic.id, patientId: null, dueInHours: 1 },
    );
    const stateOf = async () =>
      (await bench.db.selectFrom('destruction_order').select('state').where('id', '=', order).executeTakeFirst())
        ?.state;
    const shown = async () => (await listed()).find(({ id }: Customer) => id === clinic.id)?.destruction;
    expect(await shown()).toBe('open');
    expect((await restore(clinic.id)).status).toBe(200);
    expect(await stateOf()).toBe('lapsed');
    const { version } = (await bench.call(customerGet, 'super', { params: { id: clinic.id } })).body;
    await remove({ ...clinic, version });
    expect(await shown()).toBe('none');
    for (const state of ['destroying', 'destroyed'] as const) {
      await bench.db.updateTable('destruction_order').set({ state }).where('id', '=', order).execute();
      expect(await shown()).toBe('begun');
      expect(await restore(clinic.id)).toMatchObject({ status: 409, body: { code: 'restore-expired' } });
      expect(await stateOf()).toBe(state);
    }
  });

  it('changes nothing for a clinic that is not deleted, and finds no unknown one', async () => {
    const clinic = await create();
    expect((await restore(clinic.id)).status).toBe(200);
    expect((await bench.call(customerGet, 'super', { params: { id: clinic.id } })).body).toEqual(clinic);
    expect(await restore(randomUUID())).toMatchObject({ status: 404, body: { code: 'not-found' } });
  });
});

describe('DENTARIUM_CLINIC_RESTORE_DAYS', () => {
  const daysOf = (text?: string) =>
    readConfig(text === undefined ? {} : { DENTARIUM_CLINIC_RESTORE_DAYS: text }, {}).clinicRestoreDays;

  it('is 30 by default, and between 1 and 3650', () => {
    expect([daysOf(), daysOf('1'), daysOf('3650')]).toEqual([30, 1, 3650]);
    for (const text of ['0', '3651', 'x']) expect(() => daysOf(text)).toThrow('DENTARIUM_CLINIC_RESTORE_DAYS');
  });
});
