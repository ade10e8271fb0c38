import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessLogGet, accessLogUsers } from '../../contract/access-log.ts';
import { defaultClaims } from '../../contract/claims.ts';
import { serviceAccountCreate, serviceAccountsAtMost } from '../../contract/service-accounts.ts';
import { patientLog } from '../../server/access-log/access-log.ts';
import { logTexts } from '../../server/access-log/log-texts.ts';
import { insertAccesses } from '../../server/db/stores/access-log.ts';
import { patientOfLog } from '../../server/db/stores/access-log-pages.ts';
import { sealAccesses, sealFaults } from '../../server/db/stores/access-log-seals.ts';
import { isUserOfLog, usersToReview } from '../../server/db/stores/log-reviews.ts';
import { insertPatient } from '../../server/db/stores/patients.ts';
import { stockholmDay } from '../../server/domain/stockholm-time.ts';
import { type ServiceAccountsUnderTest, serviceAccountsUnderTest } from './service-accounts-under-test.ts';

let test: ServiceAccountsUnderTest;

beforeAll(async () => {
  test = await serviceAccountsUnderTest();
});
beforeEach(async () => {
  await test.db.deleteFrom('sign_in_attempt').execute();
  await test.db.deleteFrom('service_account_clinic').execute();
  await test.db.deleteFrom('service_account').execute();
});
afterAll(() => test?.close());

const make = (as: string, more: object = {}) => test.callRoute(serviceAccountCreate, as, { body: test.makeBody(more) });

describe('the service accounts of a clinic', () => {
  it('are made with a secret that only the reply has, and are logged', async () => {
    const { account, secret } = await test.made({ name: 'Weasis', scopes: ['dicomweb.write'], days: 180 });
    const { customerId, adminId } = test.clinics;
    expect(account).toMatchObject({
      name: 'Weasis',
      scopes: ['dicomweb.write'],
      clinics: [{ id: customerId }],
      otherClinics: 0,
      usedAt: null,
    });
    const days = (new Date(account.expiresAt).getTime() - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(180);
    expect(await test.listedAccounts()).toEqual([account]);
    const rows = await test.db.selectFrom('service_account').selectAll().execute();
    expect(JSON.stringify([rows, account])).not.toContain(secret.slice(-20));
    const entry = { account_id: adminId, customer_id: customerId, detail: 'Weasis' };
    expect(await test.entriesOf(account.id)).toEqual([{ action: 'service-account.created', ...entry }]);
    expect((await test.revoke(account.id)).status).toBe(200);
    expect((await test.revoke(account.id)).status).toBe(404);
    expect(await test.listedAccounts()).toEqual([]);
    expect((await test.entriesOf(account.id)).at(-1)).toEqual({ action: 'service-account.revoked', ...entry });
  });

  it('are of the own clinic, except for users with access to all', async () => {
    const { customerId, otherCustomerId } = test.clinics;
    const several = { customerIds: [customerId, otherCustomerId] };
    expect(await make('admin', several)).toMatchObject({ status: 404 });
    expect(await make('admin', { customerIds: [otherCustomerId] })).toMatchObject({ status: 404 });
    expect(await make('super', { customerIds: [customerId, randomUUID()] })).toMatchObject({ status: 404 });
    expect(await test.listedAccounts()).toEqual([]);
    const { account } = await test.made(several, 'super');
    expect(account).toMatchObject({ otherClinics: 0 });
    expect(account.clinics.map(({ id }) => id).sort()).toEqual([customerId, otherCustomerId].sort());
    // The clinic sees that another clinic has the account too, and not which.
    expect(await test.listedAccounts()).toEqual([
      { ...account, clinics: [expect.objectContaining({ id: customerId })], otherClinics: 1 },
    ]);
    expect((await test.entriesOf(account.id)).map((entry) => entry.customer_id).sort()).toEqual(
      [customerId, otherCustomerId].sort(),
    );
  });

  it('of several clinics lose one of them by its administrator, and all by a system administrator', async () => {
    const { customerId, otherCustomerId } = test.clinics;
    const made = await test.made({ customerIds: [customerId, otherCustomerId] }, 'super');
    const token = await test.tokenOf(made);
    expect((await test.revoke(made.account.id)).status).toBe(200);
    expect(await test.listedAccounts()).toEqual([]);
    expect(await test.callerOf(token)).toMatchObject({ clinics: [otherCustomerId] });
    expect((await test.revoke(made.account.id)).status).toBe(404);
    expect((await test.revoke(made.account.id, 'admin', otherCustomerId)).status).toBe(404);
    expect((await test.revoke(made.account.id, 'super', otherCustomerId)).status).toBe(200);
    expect(await test.callerOf(token)).toBeUndefined();
  });

  it('are made only by users who could give the role of clinic administrators', async () => {
    const claims = defaultClaims.CustomerAdmin.filter((claim) => claim !== 'user.delete');
    await test.addRole('Nästan administratör', 1, claims);
    await test.addUser('almost', 'Nästan administratör', test.clinics.customerId);
    expect(await make('almost')).toMatchObject({ status: 403, body: { code: 'no-right', claims: ['user.delete'] } });
    await test.addRole('Under administratören', 2, defaultClaims.CustomerAdmin);
    await test.addUser('below', 'Under administratören', test.clinics.customerId);
    expect(await make('below')).toMatchObject({ status: 403, body: { code: 'own-rank' } });
    expect(await make('doctor')).toMatchObject({ status: 403 });
    expect(await test.listedAccounts()).toEqual([]);
  });

  it('are at most twenty, however many are made at once', async () => {
    for (let count = 2; count < serviceAccountsAtMost; count += 1) await test.made();
    const replies = await Promise.all(Array.from({ length: 5 }, () => make('admin')));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400]);
    expect(replies.find(({ status }) => status === 400)?.body.errors).toEqual([
      { fieldKey: 'accounts', vars: { max: serviceAccountsAtMost } },
    ]);
    expect(await test.listedAccounts()).toHaveLength(serviceAccountsAtMost);
  });

  it.each([
    ['no clinic', { customerIds: [] }],
    ['no scope', { scopes: [] }],
    ['a scope of users', { scopes: ['api.read'] }],
    ['a scope twice', { scopes: ['dicomweb.read', 'dicomweb.read'] }],
    ['no end', { days: 0 }],
    ['a short name', { name: ' x ' }],
  ])('are not made with %s', async (_, more) => {
    expect(await make('admin', more)).toMatchObject({ status: 400 });
  });
});

let number = 0;
const addPatient = async (): Promise<string> => {
  number += 1;
  const id = await insertPatient(test.db, {
    id: randomUUID(),
    customerId: test.clinics.customerId,
    firstName: 'Åsa',
    lastName: 'Lindström',
    personalNumber: `19800101-${1000 + number}`,
    birthDate: '1980-01-01',
    sex: 'F',
    comments: null,
  });
  if (!id) throw new Error('the clinic has this patient already');
  return id;
};

describe('the access log', () => {
  const entry = (accountId: string, patientId: string) => ({
    accountId,
    customerId: test.clinics.customerId,
    patientId,
    action: 'patient.opened' as const,
    objectId: null,
    at: new Date(),
  });

  it('names the service account, and finds its entries, also once it is revoked', async () => {
    const { account } = await test.made({ name: 'OHIF på käkkirurgen' });
    const patientId = await addPatient();
    await insertAccesses(test.db, [entry(account.id, patientId)]);
    await test.revoke(account.id);
    const { body } = await test.callRoute(accessLogGet, 'admin', { query: { accountId: account.id } });
    expect(body.data).toMatchObject([
      {
        action: 'patient.opened',
        account: { id: account.id, name: 'OHIF på käkkirurgen', email: '', isServiceAccount: true, isDevice: false },
        role: null,
        patient: { id: patientId },
      },
    ]);
    const users = async (as: string) => (await test.callRoute(accessLogUsers, as)).body;
    expect((await users('admin')).at(-1)).toEqual({ id: account.id, name: 'OHIF på käkkirurgen', email: '' });
    expect(JSON.stringify(await users('other'))).not.toContain(account.id);
  });

  it.each(['sv', 'en', 'da', 'no'] as const)(
    'names it in the extract of the patient in words (%s)',
    async (language) => {
      const { account } = await test.made({ name: 'OHIF' });
      const patientId = await addPatient();
      await insertAccesses(test.db, [entry(account.id, patientId)]);
      const patient = await patientOfLog(test.db, patientId);
      if (!patient) throw new Error('no patient');
      expect(Buffer.from(await patientLog(test.db, patient, language)).toString()).toContain(
        logTexts(language).text('byService', { name: 'OHIF' }).replaceAll('"', '""'),
      );
    },
  );

  it('is sealed with it', async () => {
    const { account } = await test.made();
    const patientId = await addPatient();
    await insertAccesses(test.db, [entry(account.id, patientId)]);
    const key = { id: 'k', bytes: new Uint8Array(32).fill(7) };
    const { signal } = new AbortController();
    await sealAccesses(test.db, key, signal);
    const limit = new Date(0);
    expect(await sealFaults(test.db, key, limit, signal)).toMatchObject({ broken: [] });
    // As a database superuser could.
    await sql.raw('alter table access_log disable trigger access_log_never_updated').execute(test.db);
    await test.db.updateTable('access_log').set({ account_id: null }).where('account_id', '=', account.id).execute();
    expect((await sealFaults(test.db, key, limit, signal)).broken).not.toEqual([]);
  });

  it('draws no service account for a review of users', async () => {
    const { account } = await test.made();
    const { customerId, doctorId } = test.clinics;
    const patientId = await addPatient();
    await insertAccesses(test.db, [entry(account.id, patientId), entry(doctorId, patientId)]);
    const today = stockholmDay(new Date());
    const drawn = await usersToReview(test.db, { from: today, to: today, customerId });
    expect(drawn).toContain(doctorId);
    expect(drawn).not.toContain(account.id);
    expect(await isUserOfLog(test.db, customerId, account.id)).toBe(false);
  });
});
