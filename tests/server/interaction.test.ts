import { decodeJwt } from 'jose';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openid } from '../../contract/sign-in.ts';
import { addAccount, addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { begin, comeBack, exchange, type StartedSignIn } from './flow.ts';
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
const statusAndBody = async (reply: Response) => {
  const { requestId: _, ...body } = await reply.json();
  return { status: reply.status, ...body };
};
const codeNeeded = { outcome: 'code-needed', factors: ['authenticator'] };
const expired = { status: 410, code: 'sign-in-expired' };
const start = (extra = {}) => begin(url, redirectUri, extra);
const subjectAfter = async (started: StartedSignIn, redirectTo: string) => {
  const code = (await comeBack(url, started.jar, redirectTo)).get('code') ?? '';
  return decodeJwt((await (await exchange(url, code, started)).json()).id_token);
};

describe('an interaction', () => {
  it('starts at the list of methods and names the client', async () => {
    const started = await start({ ui_locales: 'da' });
    expect((await started.get('')).headers.get('location')).toBe(`/authorization?interaction=${started.uid}`);
    expect(await (await started.get('details')).json()).toEqual({
      clientName: 'Dentarium',
      method: null,
      pending: null,
    });
  });

  it.each(['bankid', 'sms', 'aad', 'siths', 'openid'])(
    'answers method-not-offered for %s when it is disabled',
    async (method) => {
      const started = await start({ method });
      expect((await started.get('')).headers.get('location')).toBe('/authorization?problem=method-not-offered');
    },
  );

  it('belongs to the browser that started it', async () => {
    const started = await start();
    const other = await start();
    started.jar.clear();
    const calls: [string, object][] = [
      ['password', doctor],
      ['code', { code: '123456' }],
      ['account', { id: clinic.doctorId }],
      ['abort', {}],
    ];
    for (const [call, body] of calls) expect(await statusAndBody(await started.post(call, body))).toEqual(expired);
    expect(await statusAndBody(await started.get('details'))).toEqual(expired);
    expect((await started.get('')).headers.get('location')).toBe('/authorization?problem=sign-in-expired');
    // The cookie of another interaction, sent with this one.
    const cookie = (await other.jar.fetch(`${url}/interaction/${other.uid}/details`)).status;
    expect(cookie).toBe(200);
    const forged = await fetch(`${url}/interaction/${started.uid}/details`, {
      headers: { cookie: other.jar.sent(`/interaction/${other.uid}`) },
    });
    expect(await statusAndBody(forged)).toEqual(expired);
    const unsigned = await fetch(`${url}/interaction/${started.uid}/details`, {
      headers: { cookie: `_interaction=${started.uid}` },
    });
    expect(await statusAndBody(unsigned)).toEqual(expired);
  });

  it('ends when it is answered, cancelled or expired', async () => {
    const started = await start();
    expect(await statusAndBody(await started.post('password', doctor))).toMatchObject({
      status: 200,
      outcome: 'finished',
    });
    expect(await statusAndBody(await started.post('password', admin))).toEqual(expired);

    const givenUp = await start();
    const { redirectTo } = await statusAndBody(await givenUp.post('abort', {}));
    expect(await statusAndBody(await givenUp.post('password', doctor))).toEqual(expired);
    const back = await comeBack(url, givenUp.jar, redirectTo);
    expect([back.get('error'), back.get('code')]).toEqual(['access_denied', null]);

    const old = await start();
    const past = { expires_at: new Date(Date.now() - 1000) };
    await database.db.updateTable('oidc').set(past).where('type', '=', 'Interaction').execute();
    expect(await statusAndBody(await old.post('password', doctor))).toEqual(expired);
    const resumed = await old.jar.fetch(`${url}${openid.authorizePath}/${old.uid}`, {
      headers: { accept: 'text/html' },
    });
    expect(resumed.headers.get('location')).toBe('/authorization?problem=sign-in-expired');
  });

  it.each([
    ['a wrong password', { ...doctor, password: 'Wrong-2026!' }, { status: 400, code: 'incorrect-login' }],
    ['an unknown name', { ...doctor, username: 'nobody@x.example' }, { status: 400, code: 'incorrect-login' }],
    ['an inactive account', { ...doctor, username: 'gone@prov.example' }, { status: 403, code: 'account-inactive' }],
  ])('rejects %s', async (_, who, expected) => {
    const started = await start();
    expect(await statusAndBody(await started.post('password', who))).toEqual(expected);
    expect(await statusAndBody(await started.post('password', doctor))).toMatchObject({ outcome: 'finished' });
  });

  it('limits password guessing like the password grant', async () => {
    const started = await start();
    const guesses = Array.from({ length: 9 }, (_, index) =>
      started.post('password', { ...doctor, password: `Wrong-${index}!` }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(400), ...Array(4).fill(429)]);
  });
});

describe('an account with two-factor', () => {
  it('requires a code, also after a reload, and each code is valid once', async () => {
    const started = await start();
    expect(await statusAndBody(await started.post('code', { code: authenticator.generate() }))).toEqual(expired);
    expect(await statusAndBody(await started.post('password', admin))).toEqual({
      status: 200,
      ...codeNeeded,
    });
    expect((await (await started.get('details')).json()).pending).toEqual(codeNeeded);
    expect(await statusAndBody(await started.post('code', { code: '000000' }))).toEqual({
      status: 400,
      code: 'incorrect-code',
    });
    const code = authenticator.generate();
    const { outcome, redirectTo } = await statusAndBody(await started.post('code', { code }));
    expect(outcome).toBe('finished');
    expect(await subjectAfter(started, redirectTo)).toMatchObject({ sub: clinic.adminId, amr: ['pwd', 'otp'] });

    const second = await start();
    await second.post('password', admin);
    expect(await statusAndBody(await second.post('code', { code }))).toMatchObject({ code: 'incorrect-code' });
  });

  it('is not opened by guessing codes', async () => {
    const started = await start();
    await started.post('password', admin);
    const guesses = await Promise.all(Array.from({ length: 8 }, (_, n) => started.post('code', { code: `00000${n}` })));
    expect(guesses.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(5);
    expect(guesses.some(({ status }) => status === 429)).toBe(true);
    // Even at a slow rate the interaction ends after ten guesses.
    for (const _ of [1, 2, 3]) {
      await database.db.deleteFrom('sign_in_attempt').execute();
      await started.post('code', { code: '999999' });
    }
    expect(await statusAndBody(await started.post('code', { code: authenticator.generate() }))).toEqual(expired);
  });

  it('starts again when its stamp changed before the code was entered', async () => {
    const started = await start();
    await started.post('password', admin);
    const change = { security_stamp: crypto.randomUUID() };
    await database.db.updateTable('account').set(change).where('id', '=', clinic.adminId).execute();
    expect(await statusAndBody(await started.post('code', { code: authenticator.generate() }))).toEqual(expired);
    expect((await (await started.get('details')).json()).pending).toBeNull();
  });
});

describe('a user with several accounts', () => {
  /** The state after a method that identified the user but not the account. */
  const proved = async (started: StartedSignIn, ids: readonly string[]) => {
    const rows = await database.db
      .selectFrom('account')
      .select(['id', 'security_stamp'])
      .where('id', 'in', ids)
      .execute();
    const accounts = rows.map(({ id, security_stamp }) => ({ id, securityStamp: security_stamp }));
    const proof = { step: 'account', accounts, method: 'bankid', amr: ['hwk'], strong: false, guesses: 0 };
    const row = {
      key: `proof:${started.uid}`,
      payload: JSON.stringify(proof),
      expires_at: new Date(Date.now() + 60_000),
    };
    await database.db.insertInto('pending_sign_in').values(row).execute();
  };

  it('chooses among them only', async () => {
    const started = await start();
    await proved(started, [clinic.doctorId, clinic.otherDoctorId]);
    const { pending } = await (await started.get('details')).json();
    expect(pending.outcome).toBe('choose-account');
    expect(pending.accounts).toHaveLength(2);
    expect(pending.accounts).toContainEqual({ id: clinic.doctorId, role: 'Doctor', clinic: 'Provkliniken' });
    expect(await statusAndBody(await started.post('account', { id: clinic.superId }))).toEqual({
      status: 403,
      code: 'no-account',
    });
    expect(await statusAndBody(await started.post('code', { code: '123456' }))).toEqual(expired);
    const { redirectTo } = await statusAndBody(await started.post('account', { id: clinic.otherDoctorId }));
    expect((await subjectAfter(started, redirectTo)).sub).toBe(clinic.otherDoctorId);
  });

  it('still needs the code of the chosen one', async () => {
    const started = await start();
    await proved(started, [clinic.doctorId, clinic.adminId]);
    expect(await statusAndBody(await started.post('account', { id: clinic.adminId }))).toMatchObject({
      outcome: 'code-needed',
    });
    const { redirectTo } = await statusAndBody(await started.post('code', { code: authenticator.generate() }));
    expect(await subjectAfter(started, redirectTo)).toMatchObject({ sub: clinic.adminId, amr: ['hwk', 'otp'] });
  });
});
