import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessLogGet } from '../../contract/access-log.ts';
import { accountInfo } from '../../contract/account.ts';
import {
  type Customer,
  customerCreate,
  customerDelete,
  customerDependentsGet,
  customerGet,
  customerGetAll,
  customerUpdate,
} from '../../contract/customers.ts';
import { thumbnail } from '../../contract/images.ts';
import { importGet } from '../../contract/import-calls.ts';
import { patientCreate, patientGet, patientSearchPrivate } from '../../contract/patients.ts';
import { statisticsGet, statisticsOfCustomer } from '../../contract/statistics.ts';
import { studiesByPatient } from '../../contract/studies.ts';
import { templates, viewsetGet } from '../../contract/viewsets.ts';
import { linkKey } from '../../server/db/stores/link-key.ts';
import { createThumbLinks } from '../../server/resource/thumb-links.ts';
import { type AdministrationBench, administrationBench } from './administration-bench.ts';
import { addRecord } from './authorization/record.ts';
import { password } from './clinic.ts';
import { openSession } from './open-session.ts';
import { requestTokens } from './running-server.ts';
import { vaultUnderTest } from './vault-under-test.ts';

let bench: AdministrationBench;
beforeAll(async () => {
  bench = await administrationBench();
});
afterAll(() => bench?.close());

const fields = { organisationName: 'Nya kliniken', address: 'Storgatan 1', telephone: '031-390 06 12' };
const create = async (more: object = {}): Promise<Customer> =>
  (await bench.call(customerCreate, 'super', { body: { ...fields, ...more } })).body;
const remove = (who: string, { id, version }: Pick<Customer, 'id' | 'version'>) =>
  bench.call(customerDelete, who, { params: { id }, body: { version } });

describe('sharing by link', () => {
  const edit = async (clinic: Customer, more: object): Promise<Customer> => {
    const body = { ...fields, id: clinic.id, version: clinic.version, ...more };
    return (await bench.call(customerUpdate, 'super', { body })).body;
  };

  it('is off in a new clinic, and unchanged by a form that does not know it', async () => {
    const made = await create();
    expect(made.sharesByLink).toBe(false);
    const on = await edit(made, { sharesByLink: true });
    expect(on.sharesByLink).toBe(true);
    expect((await edit(on, {})).sharesByLink).toBe(true);
  });

  it('ends every open link for good when it is switched off, each with an entry in the log of the patient', async () => {
    const made = await create();
    const ids = await addRecord(bench.db, made.id, { sha256: 'a'.repeat(64), sizeBytes: 1 });
    const other = await addRecord(bench.db, (await create()).id, { sha256: 'a'.repeat(64), sizeBytes: 1 });
    const reasonOf = async (id: string) =>
      (await bench.db.selectFrom('shared_link').select('end_reason').where('id', '=', id).executeTakeFirst())
        ?.end_reason;
    const kept = await edit(made, {});
    expect(await reasonOf(ids.sharedLinkId)).toBeNull();
    const off = await edit(kept, { sharesByLink: false });
    expect(off.sharesByLink).toBe(false);
    expect(await reasonOf(ids.sharedLinkId)).toBe('clinic');
    expect(await reasonOf(other.sharedLinkId)).toBeNull();
    await edit(off, { sharesByLink: true });
    expect(await reasonOf(ids.sharedLinkId)).toBe('clinic');
    const logged = await bench.db
      .selectFrom('access_log')
      .select(['action', 'customer_id', 'object_id', 'detail'])
      .where('patient_id', '=', ids.patientId)
      .execute();
    const entry = { action: 'share.ended', customer_id: made.id, object_id: ids.sharedLinkId, detail: 'Käkkirurgen' };
    expect(logged).toEqual([entry]);
  });
});

describe('other viewers of a clinic', () => {
  const viewers = [{ name: 'OHIF', address: 'https://viewer.example/viewer?StudyInstanceUIDs={study}' }];

  it('are named to its users, and to no others', async () => {
    const { customerId } = bench.clinics;
    const { body: clinic } = await bench.call(customerGet, 'admin', { params: { id: customerId } });
    const body = { ...fields, id: customerId, version: clinic.version, viewers };
    expect((await bench.call(customerUpdate, 'admin', { body })).body.viewers).toEqual(viewers);
    const viewersFor = async (who: string) => (await bench.call(accountInfo, who)).body.viewers;
    expect(await viewersFor('doctor')).toEqual(viewers);
    for (const who of ['other', 'super']) expect(await viewersFor(who), who).toEqual([]);
  });

  it.each(['javascript:alert("{study}")', 'data:text/html,{study}', 'https://viewer.example/', '/viewer/{study}'])(
    'are refused with the address %s',
    async (address) => {
      const body = { ...fields, viewers: [{ name: 'OHIF', address }] };
      const { status, body: problem } = await bench.call(customerCreate, 'super', { body });
      expect([status, problem.code]).toEqual([400, 'invalid-request']);
    },
  );
});

describe('a new clinic', () => {
  it('has the values of the form and defaults for the rest', async () => {
    const made = await create({ city: '  Kungälv ', description: '   ', country: 'NO' });
    expect(made).toMatchObject({
      name: 'Nya kliniken',
      city: 'Kungälv',
      description: null,
      country: 'NO',
      version: 1,
      useProxy: false,
    });
    expect((await bench.call(customerGet, 'super', { params: { id: made.id } })).body).toEqual(made);
  });

  it('respects the limits of each field', async () => {
    const body = { organisationName: 'N', address: 'x'.repeat(201), telephone: '', city: 'K', zipcode: 'x'.repeat(31) };
    const { status, body: problem } = await bench.call(customerCreate, 'super', { body });
    expect(status).toBe(400);
    expect(problem).toMatchObject({ code: 'invalid-request' });
    expect(problem.errors).toEqual([
      { fieldKey: 'organisationName', vars: { min: 2 } },
      { fieldKey: 'address', vars: { max: 200 } },
      { fieldKey: 'city', vars: { min: 2 } },
      { fieldKey: 'zipcode', vars: { max: 30 } },
      { fieldKey: 'telephone', vars: { min: 1 } },
    ]);
  });

  it('can be created only with the right to do so', async () => {
    for (const who of ['admin', 'doctor'])
      expect(await bench.call(customerCreate, who, { body: fields })).toMatchObject({
        status: 403,
        body: { code: 'no-right', claims: ['customer.create'] },
      });
  });
});

describe('an edit', () => {
  it('is rejected as a conflict when the clinic was changed meanwhile', async () => {
    const made = await create();
    const edit = (address: string) =>
      bench.call(customerUpdate, 'super', { body: { ...fields, address, id: made.id, version: made.version } });
    const replies = await Promise.all([edit('Första gatan'), edit('Andra gatan')]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'conflict' });
    const { body: now } = await bench.call(customerGet, 'super', { params: { id: made.id } });
    expect(now).toEqual(replies.find(({ status }) => status === 200)?.body);
    expect(now.version).toBe(2);
  });

  it('of the own clinic needs its administrator; of another one it is rejected', async () => {
    const edit = async (id: string) => {
      const { body } = await bench.call(customerGet, 'super', { params: { id } });
      return bench.call(customerUpdate, 'admin', { body: { ...fields, id, version: body.version } });
    };
    expect((await edit(bench.clinics.customerId)).status).toBe(200);
    expect(await edit(bench.clinics.otherCustomerId)).toMatchObject({ status: 404, body: { code: 'not-found' } });
    const absent = { ...fields, id: randomUUID(), version: 1 };
    expect((await bench.call(customerUpdate, 'super', { body: absent })).body).toMatchObject({ code: 'not-found' });
  });

  it('is logged with the clinic, as are creating and deleting', async () => {
    const made = await create({ organisationName: 'Bokförda kliniken' });
    await bench.call(customerUpdate, 'super', { body: { ...fields, id: made.id, version: 1 } });
    await remove('super', { id: made.id, version: 2 });
    const entry = { account_id: bench.clinics.superId, customer_id: made.id, object_id: made.id };
    expect((await bench.logged()).filter((row) => row.object_id === made.id)).toEqual([
      { ...entry, action: 'clinic.created', detail: 'Bokförda kliniken' },
      { ...entry, action: 'clinic.edited', detail: 'Nya kliniken' },
      { ...entry, action: 'clinic.deleted', detail: 'Nya kliniken' },
    ]);
  });
});

describe('deleting a clinic', () => {
  const stored = { sha256: 'a'.repeat(64), sizeBytes: 10 };

  it('first shows what is deleted with it', async () => {
    const { id } = await create();
    const dependents = () => bench.call(customerDependentsGet, 'super', { params: { id } });
    expect((await dependents()).body).toEqual({ users: 0, patients: 0, studies: 0, images: 0, imports: 0 });
    await addRecord(bench.db, id, stored);
    expect((await dependents()).body).toEqual({ users: 1, patients: 2, studies: 1, images: 2, imports: 2 });
    await bench.db.updateTable('import_task').set({ step: 5 }).where('customer_id', '=', id).execute();
    expect((await dependents()).body.imports).toBe(0);
  });

  it('is rejected when the clinic was changed meanwhile, and for one’s own clinic', async () => {
    const made = await create();
    await bench.call(customerUpdate, 'super', { body: { ...fields, id: made.id, version: 1 } });
    expect(await remove('super', made)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await bench.add('chief', 'SuperAdmin', made.id);
    expect(await remove('chief', { id: made.id, version: 2 })).toMatchObject({
      status: 409,
      body: { code: 'own-clinic' },
    });
    expect((await remove('admin', { id: bench.clinics.customerId, version: 1 })).status).toBe(403);
  });

  it('succeeds for one of several concurrent requests', async () => {
    const made = await create();
    const replies = await Promise.all([1, 2, 3].map(() => remove('super', made)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await remove('super', { id: made.id, version: 2 })).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    });
    expect(
      (await bench.logged()).filter((row) => row.object_id === made.id && row.action === 'clinic.deleted'),
    ).toHaveLength(1);
  });

  it('makes all its data inaccessible to everyone', async () => {
    const made = await create({ organisationName: 'Nedlagda kliniken' });
    const { id } = made;
    const record = await addRecord(bench.db, id, stored);
    await bench.add('left', 'CustomerAdmin', id);
    const repliesFor = async (who: string) => ({
      clinic: await bench.call(customerGet, who, { params: { id } }),
      patient: await bench.call(patientGet, who, { params: { id: record.patientId } }),
      studies: await bench.call(studiesByPatient, who, { params: { id: record.patientId } }),
      viewset: await bench.call(viewsetGet, who, { params: { id: record.viewsetId } }),
      import: await bench.call(importGet, who, { params: { id: record.newTaskId } }),
      search: await bench.call(patientSearchPrivate, who, { body: { customerId: id, q: record.patientName } }),
      templates: await bench.call(templates, who, { query: { customerId: id } }),
      statistics: await bench.call(statisticsOfCustomer, who, { params: { customerId: id } }),
      user: await bench.call(accountInfo, who, { query: { id: record.accountId } }),
    });
    const statuses = async (who: string) => [
      ...new Set(Object.values(await repliesFor(who)).map(({ status }) => status)),
    ];
    expect(await statuses('super')).toEqual([200]);
    expect(await statuses('left')).toEqual([200]);
    const { clinics: before } = (await bench.call(statisticsGet, 'super')).body;
    const links = createThumbLinks(bench.db, await linkKey(bench.db, vaultUnderTest()));
    const link = links.of({ grantId: await openSession(bench.db, bench.clinics.superId) }).linkTo(record.imageId);
    expect((await fetch(`${bench.running.url}${link}`)).status).not.toBe(404);

    expect((await remove('super', made)).status).toBe(200);

    expect(await statuses('super')).toEqual([404]);
    expect(await statuses('left'), 'their sessions ended').toEqual([401]);
    const credentials = { grant_type: 'password', username: 'left@prov.example', password, scope: 'openid' };
    expect((await requestTokens(bench.running.url, credentials)).ok).toBe(false);
    expect((await fetch(`${bench.running.url}${link}`)).status, thumbnail.path).toBe(404);
    const patient = { firstName: 'Åsa', lastName: 'Ny', birthDate: null, sex: null, comments: null };
    const body = { ...patient, customerId: id, personalNumber: '198001019802' };
    expect((await bench.call(patientCreate, 'super', { body })).status).toBe(404);
    const inCapitals = { customerId: id.toUpperCase() };
    expect((await bench.call(patientCreate, 'super', { body: { ...body, ...inCapitals } })).status).toBe(404);
    expect((await bench.call(templates, 'super', { query: inCapitals })).status).toBe(404);
    expect((await bench.call(statisticsGet, 'super')).body).toMatchObject({ clinics: before - 1 });
    expect((await bench.call(customerGetAll, 'super', { query: { q: 'nedlagda' } })).body.totalCount).toBe(0);
    const tasks = bench.db.selectFrom('import_task').select('cancelled').where('customer_id', '=', id);
    expect(await tasks.execute(), 'nothing more is imported').toEqual([{ cancelled: true }, { cancelled: true }]);
    const { body: log } = await bench.call(accessLogGet, 'super', { query: { accountId: bench.clinics.superId } });
    expect(log.data[0], 'what was done stays in the log').toMatchObject({ action: expect.any(String) });
    expect(log.data.map(({ action }: { action: string }) => action)).toContain('clinic.deleted');
  });
});
