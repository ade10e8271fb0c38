import { decodeJwt } from 'jose';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openid } from '../../contract/sign-in.ts';
import { addAccount, addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type Begun, begin, comeBack, exchange } from './flow.ts';
import { type RunningServer, runServer } from './running-server.ts';

let database: TestDatabase;
let running: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let url: string;
const redirectUri = `http://localhost${openid.callbackPath}`;
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const authenticator = new TOTP({ secret });

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  const gone = { email: 'gone@prov.example', role: 'Doctor', customerId: clinic.customerId, isActive: false } as const;
  await addAccount(database.db, gone);
  const withTwoFactor = database.db.updateTable('account').set({ two_factor_key: secret });
  await withTwoFactor.where('id', '=', clinic.adminId).execute();
  running = await runServer(database.database);
  url = running.url;
});
beforeEach(async () => {
  await database.db.deleteFrom('sign_in_attempt').execute();
  await database.db.updateTable('account').set({ two_factor_step: null }).execute();
});
afterAll(async () => {
  await running?.close();
  await database?.close();
});

const doctor = { username: 'doctor@prov.example', password };
const admin = { username: 'admin@prov.example', password };
const told = async (reply: Response) => ({ status: reply.status, ...(await reply.json()) });
const expired = { status: 410, code: 'sign-in-expired' };
const start = (extra = {}) => begin(url, redirectUri, extra);
const subjectAfter = async (begun: Begun, redirectTo: string) => {
  const code = (await comeBack(url, begun.jar, redirectTo)).get('code') ?? '';
  return decodeJwt((await (await exchange(url, code, begun)).json()).id_token);
};

describe('an interaction', () => {
  it('begins at the list of methods, and says for whom', async () => {
    const begun = await start({ ui_locales: 'da' });
    expect((await begun.get('')).headers.get('location')).toBe(`/authorization?interaction=${begun.uid}`);
    expect(await (await begun.get('details')).json()).toEqual({ clientName: 'Dentarium', method: null, pending: null });
  });

  it.each(['bankid', 'sms', 'aad', 'siths', 'openid'])(
    'says that %s is not offered where it is not',
    async (method) => {
      const begun = await start({ method });
      expect((await begun.get('')).headers.get('location')).toBe('/authorization?problem=method-not-offered');
    },
  );

  it('belongs to the browser that began it', async () => {
    const begun = await start();
    const other = await start();
    begun.jar.clear();
    const calls: [string, object][] = [
      ['password', doctor],
      ['code', { code: '123456' }],
      ['account', { id: clinic.doctorId }],
      ['abort', {}],
    ];
    for (const [call, body] of calls) expect(await told(await begun.post(call, body))).toEqual(expired);
    expect(await told(await begun.get('details'))).toEqual(expired);
    expect((await begun.get('')).headers.get('location')).toBe('/authorization?problem=sign-in-expired');
    // The cookie of another interaction, sent by hand to this one.
    const cookie = (await other.jar.fetch(`${url}/interaction/${other.uid}/details`)).status;
    expect(cookie).toBe(200);
    const forged = await fetch(`${url}/interaction/${begun.uid}/details`, {
      headers: { cookie: other.jar.sent(`/interaction/${other.uid}`) },
    });
    expect(await told(forged)).toEqual(expired);
    const unsigned = await fetch(`${url}/interaction/${begun.uid}/details`, {
      headers: { cookie: `_interaction=${begun.uid}` },
    });
    expect(await told(unsigned)).toEqual(expired);
  });

  it('is over when it was answered, given up or too old', async () => {
    const begun = await start();
    expect(await told(await begun.post('password', doctor))).toMatchObject({ status: 200, outcome: 'finished' });
    expect(await told(await begun.post('password', admin))).toEqual(expired);

    const givenUp = await start();
    const { redirectTo } = await told(await givenUp.post('abort', {}));
    expect(await told(await givenUp.post('password', doctor))).toEqual(expired);
    const back = await comeBack(url, givenUp.jar, redirectTo);
    expect([back.get('error'), back.get('code')]).toEqual(['access_denied', null]);

    const old = await start();
    const past = { expires_at: new Date(Date.now() - 1000) };
    await database.db.updateTable('oidc').set(past).where('type', '=', 'Interaction').execute();
    expect(await told(await old.post('password', doctor))).toEqual(expired);
    const resumed = await old.jar.fetch(`${url}${openid.authorizePath}/${old.uid}`, {
      headers: { accept: 'text/html' },
    });
    expect(resumed.headers.get('location')).toBe('/authorization?problem=sign-in-expired');
  });

  it.each([
    ['a wrong password', { ...doctor, password: 'Wrong-2026!' }, { status: 400, code: 'incorrect-login' }],
    ['an unknown name', { ...doctor, username: 'nobody@x.example' }, { status: 400, code: 'incorrect-login' }],
    ['an inactive account', { ...doctor, username: 'gone@prov.example' }, { status: 403, code: 'account-inactive' }],
  ])('refuses %s', async (_, who, refusal) => {
    const begun = await start();
    expect(await told(await begun.post('password', who))).toEqual(refusal);
    expect(await told(await begun.post('password', doctor))).toMatchObject({ outcome: 'finished' });
  });

  it('slows down guessing of passwords as the password grant does', async () => {
    const begun = await start();
    const guesses = Array.from({ length: 9 }, (_, index) =>
      begun.post('password', { ...doctor, password: `Wrong-${index}!` }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(400), ...Array(4).fill(429)]);
  });
});

describe('an account with two-factor', () => {
  it('is asked for a code, also after a reload, and each code is good once', async () => {
    const begun = await start();
    expect(await told(await begun.post('code', { code: authenticator.generate() }))).toEqual(expired);
    expect(await told(await begun.post('password', admin))).toEqual({ status: 200, outcome: 'code-needed' });
    expect((await (await begun.get('details')).json()).pending).toEqual({ outcome: 'code-needed' });
    expect(await told(await begun.post('code', { code: '000000' }))).toEqual({ status: 400, code: 'incorrect-code' });
    const code = authenticator.generate();
    const { outcome, redirectTo } = await told(await begun.post('code', { code }));
    expect(outcome).toBe('finished');
    expect(await subjectAfter(begun, redirectTo)).toMatchObject({ sub: clinic.adminId, amr: ['pwd', 'otp'] });

    const second = await start();
    await second.post('password', admin);
    expect(await told(await second.post('code', { code }))).toMatchObject({ code: 'incorrect-code' });
  });

  it('is not found by guessing codes', async () => {
    const begun = await start();
    await begun.post('password', admin);
    const guesses = await Promise.all(Array.from({ length: 8 }, (_, n) => begun.post('code', { code: `00000${n}` })));
    expect(guesses.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(5);
    expect(guesses.some(({ status }) => status === 429)).toBe(true);
    // Even with patience the interaction is over after ten.
    for (const _ of [1, 2, 3]) {
      await database.db.deleteFrom('sign_in_attempt').execute();
      await begun.post('code', { code: '999999' });
    }
    expect(await told(await begun.post('code', { code: authenticator.generate() }))).toEqual(expired);
  });

  it('begins anew when its stamp changed before the code came', async () => {
    const begun = await start();
    await begun.post('password', admin);
    const change = { security_stamp: crypto.randomUUID() };
    await database.db.updateTable('account').set(change).where('id', '=', clinic.adminId).execute();
    expect(await told(await begun.post('code', { code: authenticator.generate() }))).toEqual(expired);
    expect((await (await begun.get('details')).json()).pending).toBeNull();
  });
});

describe('one person with several accounts', () => {
  /** As a method leaves it that knows the person but not the account. */
  const proved = async (begun: Begun, ids: readonly string[]) => {
    const rows = await database.db
      .selectFrom('account')
      .select(['id', 'security_stamp'])
      .where('id', 'in', ids)
      .execute();
    const accounts = rows.map(({ id, security_stamp }) => ({ id, securityStamp: security_stamp }));
    const proof = { step: 'account', accounts, method: 'bankid', amr: ['hwk'], strong: false, guesses: 0 };
    const row = {
      key: `proof:${begun.uid}`,
      payload: JSON.stringify(proof),
      expires_at: new Date(Date.now() + 60_000),
    };
    await database.db.insertInto('pending_sign_in').values(row).execute();
  };

  it('chooses among them, and among them only', async () => {
    const begun = await start();
    await proved(begun, [clinic.doctorId, clinic.otherDoctorId]);
    const { pending } = await (await begun.get('details')).json();
    expect(pending.outcome).toBe('choose-account');
    expect(pending.accounts).toHaveLength(2);
    expect(pending.accounts).toContainEqual({ id: clinic.doctorId, role: 'Doctor', clinic: 'Provkliniken' });
    expect(await told(await begun.post('account', { id: clinic.superId }))).toEqual({
      status: 403,
      code: 'no-account',
    });
    expect(await told(await begun.post('code', { code: '123456' }))).toEqual(expired);
    const { redirectTo } = await told(await begun.post('account', { id: clinic.otherDoctorId }));
    expect((await subjectAfter(begun, redirectTo)).sub).toBe(clinic.otherDoctorId);
  });

  it('still needs the code of the chosen one', async () => {
    const begun = await start();
    await proved(begun, [clinic.doctorId, clinic.adminId]);
    expect(await told(await begun.post('account', { id: clinic.adminId }))).toMatchObject({ outcome: 'code-needed' });
    const { redirectTo } = await told(await begun.post('code', { code: authenticator.generate() }));
    expect(await subjectAfter(begun, redirectTo)).toMatchObject({ sub: clinic.adminId, amr: ['hwk', 'otp'] });
  });
});
