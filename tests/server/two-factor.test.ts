import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountInfo, currentUser } from '../../contract/account.ts';
import { openid, type TokenReply, tokenReply } from '../../contract/sign-in.ts';
import { twoFactorDisable, twoFactorSetup, twoFactorVerify } from '../../contract/two-factor.ts';
import { accountById } from '../../server/db/stores/account-store.ts';
import { secondFactorOf } from '../../server/identity/second-factor.ts';
import { newSharedKey, timeStepOf } from '../../server/identity/totp.ts';
import { codeOf } from './authenticator.ts';
import { addAccount, addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { holdBlocks } from './hold-blocks.ts';
import { bearer, type RunningServer, requestTokens, runServer, signIn } from './running-server.ts';

let database: TestDatabase;
let running: RunningServer;
let customerId: string;

beforeAll(async () => {
  database = await testDatabase();
  customerId = (await addTwoClinics(database.db)).customerId;
  running = await runServer(database.database);
});
// Only the clock of this process; the database and all timers are unaffected.
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  await database.db.deleteFrom('sign_in_attempt').execute();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await running?.close();
  await database?.close();
});

const step = 30_000;
/** Advances by one time step. */
const later = (steps = 1) => vi.setSystemTime(Date.now() + steps * step);

const byPassword = (username: string, fields: Record<string, string> = {}) =>
  requestTokens(running.url, { grant_type: 'password', username, password, scope: openid.scope, ...fields });
const errorOf = async (reply: Response) => [reply.status, (await reply.json()).error_description];
const call = (route: { method: string; path: string }, tokens: TokenReply, body?: object) =>
  fetch(`${running.url}${route.path}`, {
    method: route.method,
    headers: { ...bearer(tokens), ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
const verify = (tokens: TokenReply, verificationCode: string) => call(twoFactorVerify, tokens, { verificationCode });
const disable = (tokens: TokenReply, verificationCode: string) => call(twoFactorDisable, tokens, { verificationCode });
const keyFor = async (tokens: TokenReply): Promise<string> =>
  (await (await call(twoFactorSetup, tokens)).json()).data.sharedKey;
const infoOf = async (tokens: TokenReply) => currentUser.parse(await (await call(accountInfo, tokens)).json());
const renewed = async (tokens: TokenReply) =>
  requestTokens(running.url, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' });
const logOf = async (accountId: string) =>
  (
    await database.db.selectFrom('access_log').selectAll().where('account_id', '=', accountId).orderBy('id').execute()
  ).map(({ action, detail }) => (detail === null ? action : `${action}: ${detail}`));

let count = 0;
/** A user with two-factor on; the current code is already used. */
const withTwoFactor = async () => {
  count += 1;
  const email = `two${count}@prov.example`;
  const id = await addAccount(database.db, { email, role: 'Doctor', customerId });
  const first = await signIn(running.url, email);
  const key = await keyFor(first);
  const reply = await verify(first, codeOf(key));
  expect(reply.status).toBe(200);
  const codes: string[] = (await reply.json()).data.recoveryCodes;
  later();
  return { email, id, key, codes, first };
};

describe('the code', () => {
  it('is that of RFC 6238 appendix B', () => {
    const key = Buffer.from('12345678901234567890');
    const shared = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    expect(key).toHaveLength(20);
    for (const [seconds, code] of [
      [59, '287082'],
      [1111111109, '081804'],
      [1234567890, '005924'],
      [20000000000, '353130'],
    ] as const) {
      expect(codeOf(shared, seconds * 1000)).toBe(code);
      expect(timeStepOf(shared, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
    }
  });

  it('is accepted one step off, and no further', () => {
    const key = newSharedKey();
    const at = Date.now();
    const now = Math.floor(at / step);
    for (const off of [-1, 0, 1]) expect(timeStepOf(key, codeOf(key, at + off * step), at)).toBe(now + off);
    for (const off of [-3, -2, 2, 3]) expect(timeStepOf(key, codeOf(key, at + off * step), at)).toBeNull();
  });

  it('may contain spaces, and is otherwise six digits', () => {
    const key = newSharedKey();
    const code = codeOf(key);
    expect(timeStepOf(key, ` ${code.slice(0, 3)} ${code.slice(3)} `)).not.toBeNull();
    for (const text of ['', '12345', '1234567', 'abcdef', `${code}1`]) expect(timeStepOf(key, text)).toBeNull();
  });
});

describe('enabling two-factor', () => {
  it('returns a key and a URI for the authenticator', async () => {
    const tokens = await signIn(running.url, 'doctor@prov.example');
    const reply = await call(twoFactorSetup, tokens);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const { status, data } = await reply.json();
    expect(status).toBe('success');
    expect(data.sharedKey).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(data.authenticatorUri);
    expect(uri.protocol).toBe('otpauth:');
    expect(decodeURIComponent(uri.pathname)).toContain('Dentarium:doctor@prov.example');
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      secret: data.sharedKey,
      issuer: 'Dentarium',
      digits: '6',
      period: '30',
    });
    expect((await infoOf(tokens)).twoFactorEnabled).toBe(false);
    expect((await byPassword('doctor@prov.example')).status).toBe(200);
  });

  it('takes effect with the first correct code, and returns ten recovery codes that are stored hashed', async () => {
    const { email, id, codes } = await withTwoFactor();
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[2-9A-HJKMNP-Z]{5}-[2-9A-HJKMNP-Z]{5}$/);
    const stored = JSON.stringify(await database.db.selectFrom('recovery_code').selectAll().execute());
    for (const code of codes) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replace('-', ''));
    }
    expect(await errorOf(await byPassword(email))).toEqual([400, 'code-needed']);
    expect(await logOf(id)).toContain('two-factor.enabled');
  });

  it('is rejected with a wrong code, without a pending key, and while it is on', async () => {
    const tokens = await signIn(running.url, 'admin@prov.example');
    expect((await verify(tokens, '123456')).status).toBe(409);
    const key = await keyFor(tokens);
    const wrongCode = await verify(tokens, codeOf(key, Date.now() + 10 * step));
    expect([wrongCode.status, (await wrongCode.json()).code]).toEqual([400, 'incorrect-code']);
    expect((await infoOf(tokens)).twoFactorEnabled).toBe(false);
    // A newer key voids the older one.
    const newer = await keyFor(tokens);
    expect((await verify(tokens, codeOf(key))).status).toBe(400);
    expect((await verify(tokens, codeOf(newer))).status).toBe(200);
    const own = tokenReply.parse(await (await renewed(tokens)).json());
    expect((await call(twoFactorSetup, own)).status).toBe(409);
    expect((await verify(own, codeOf(newer))).status).toBe(409);
  });

  it('ends the other sessions, and keeps the own', async () => {
    const email = 'sessions@prov.example';
    await addAccount(database.db, { email, role: 'Doctor', customerId });
    const [own, other] = [await signIn(running.url, email), await signIn(running.url, email)];
    const key = await keyFor(own);
    expect((await verify(own, codeOf(key))).status).toBe(200);
    expect((await call(accountInfo, other)).status).toBe(401);
    expect((await renewed(other)).status).toBe(400);
    const next = tokenReply.parse(await (await renewed(own)).json());
    expect(await infoOf(next)).toMatchObject({ twoFactorEnabled: true, recoveryCodesLeft: 10 });
  });
});

describe('signing in', () => {
  it('accepts the code of the authenticator, once', async () => {
    const { email, key, id } = await withTwoFactor();
    const code = codeOf(key);
    const reply = await byPassword(email, { code });
    expect(reply.status).toBe(200);
    expect(decodeJwt((await reply.json()).id_token).amr).toEqual(['pwd', 'otp']);
    expect(await errorOf(await byPassword(email, { code }))).toEqual([400, 'incorrect-code']);
    // Nor the previous one, which the tolerance would accept.
    expect(await errorOf(await byPassword(email, { code: codeOf(key, Date.now() - step) }))).toEqual([
      400,
      'incorrect-code',
    ]);
    later();
    expect((await byPassword(email, { code: codeOf(key) })).status).toBe(200);
    expect(await logOf(id)).toEqual(
      expect.arrayContaining(['sign-in: password', 'sign-in.refused: incorrect-code', 'two-factor.enabled']),
    );
    expect(JSON.stringify(await database.db.selectFrom('access_log').selectAll().execute())).not.toContain(code);
  });

  it('accepts one of two simultaneous uses of a code', async () => {
    const { email, key, codes } = await withTwoFactor();
    for (const code of [codeOf(key), codes[0] ?? '']) {
      const replies = await Promise.all([1, 2, 3].map(() => byPassword(email, { code })));
      expect(replies.map((reply) => reply.status).sort()).toEqual([200, 400, 400]);
    }
  });

  it('accepts each recovery code once, in any notation', async () => {
    const { email, codes, id } = await withTwoFactor();
    const [first = '', second = ''] = codes;
    const tokens = await (await byPassword(email, { code: first })).json();
    expect((await infoOf(tokens)).recoveryCodesLeft).toBe(9);
    expect(await errorOf(await byPassword(email, { code: first }))).toEqual([400, 'incorrect-code']);
    expect((await byPassword(email, { code: ` ${second.toLowerCase().replace('-', ' ')} ` })).status).toBe(200);
    expect((await infoOf(tokens)).recoveryCodesLeft).toBe(8);
    expect((await logOf(id)).filter((entry) => entry === 'recovery-code.used')).toHaveLength(2);
  });

  it('rejects the code of another user', async () => {
    const [one, two] = [await withTwoFactor(), await withTwoFactor()];
    expect((await byPassword(one.email, { code: codeOf(two.key) })).status).toBe(400);
    expect((await byPassword(one.email, { code: two.codes[0] ?? '' })).status).toBe(400);
    expect((await byPassword(two.email, { code: two.codes[0] ?? '' })).status).toBe(200);
  });

  it('mentions the second factor only after the correct password', async () => {
    const { email, key } = await withTwoFactor();
    const wrongPassword = { password: 'Wrong-2026!' };
    expect(await errorOf(await byPassword(email, wrongPassword))).toEqual([400, 'incorrect-login']);
    const code = codeOf(key);
    expect(await errorOf(await byPassword(email, { ...wrongPassword, code }))).toEqual([400, 'incorrect-login']);
    // The code was not checked, so it is still valid.
    expect((await byPassword(email, { code })).status).toBe(200);
  });
});

describe('guessing', () => {
  const wrongCodes = (key: string, count: number) => {
    const near = [-1, 0, 1].map((off) => codeOf(key, Date.now() + off * step));
    return Array.from({ length: 50 }, (_, index) => String(100_000 + index))
      .filter((code) => !near.includes(code))
      .slice(0, count);
  };

  it('codes is blocked after five, also concurrently, even for the right one', async () => {
    const { email, key } = await withTwoFactor();
    const replies = await Promise.all(wrongCodes(key, 5).map((code) => byPassword(email, { code })));
    expect(replies.map((reply) => reply.status)).toEqual([400, 400, 400, 400, 400]);
    await holdBlocks(database.db);
    expect(await errorOf(await byPassword(email, { code: codeOf(key) }))).toEqual([429, 'too-many-requests']);
  });

  it('is not reset by the right password in between', async () => {
    const { email, key } = await withTwoFactor();
    for (const code of wrongCodes(key, 4)) {
      expect(await errorOf(await byPassword(email, { code }))).toEqual([400, 'incorrect-code']);
      expect(await errorOf(await byPassword(email))).toEqual([400, 'code-needed']);
    }
    expect((await byPassword(email, { code: '999999x' })).status).toBe(400);
    await holdBlocks(database.db);
    expect((await byPassword(email, { code: codeOf(key) })).status).toBe(429);
  });

  it('is still counted after the delay of the password, and reset by the right code', async () => {
    const { email, key, id } = await withTwoFactor();
    for (const code of wrongCodes(key, 5)) await byPassword(email, { code });
    const past = { blocked_until: new Date(Date.now() - 60_000) };
    await database.db.updateTable('sign_in_attempt').set(past).execute();
    expect((await byPassword(email, { code: '999999x' })).status).toBe(400);
    await holdBlocks(database.db);
    expect((await byPassword(email, { code: codeOf(key) })).status).toBe(429);
    await database.db.updateTable('sign_in_attempt').set(past).execute();
    expect((await byPassword(email, { code: codeOf(key) })).status).toBe(200);
    // Only the count of the address is left, from which all of this came.
    expect(await database.db.selectFrom('sign_in_attempt').select('key').execute()).toHaveLength(1);
    expect(await logOf(id)).toContain('sign-in: password');
  });

  it('is limited when enabling or disabling, too', async () => {
    const { first, key } = await withTwoFactor();
    const own = tokenReply.parse(await (await renewed(first)).json());
    for (const code of wrongCodes(key, 5)) expect((await disable(own, code)).status).toBe(400);
    await holdBlocks(database.db);
    expect((await disable(own, codeOf(key))).status).toBe(429);
    const tokens = await signIn(running.url, 'super@prov.example');
    const offer = await keyFor(tokens);
    const replies = await Promise.all(wrongCodes(offer, 5).map((code) => verify(tokens, code)));
    expect(replies.map((reply) => reply.status)).toEqual([400, 400, 400, 400, 400]);
    await holdBlocks(database.db);
    expect((await verify(tokens, codeOf(offer))).status).toBe(429);
  });
});

it('counts simultaneous guesses before checking any', async () => {
  const { id, key } = await withTwoFactor();
  const account = await accountById(database.db, id);
  if (!account) throw new Error('no account');
  const far = Array.from({ length: 12 }, (_, index) => codeOf(key, Date.now() + (10 + index) * step));
  const outcomes = await Promise.allSettled(far.map((code) => secondFactorOf(database.db).accepts(account, code)));
  const rejected = outcomes.filter(({ status }) => status === 'rejected');
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled' && !outcome.value)).toHaveLength(
    12 - rejected.length,
  );
  // The fifth starts a delay of a second; after a suspension of the machine a sixth may have come in.
  expect(rejected.length).toBeGreaterThanOrEqual(5);
});

describe('disabling two-factor', () => {
  it.each(['a code', 'a recovery code'])('takes %s, ends the other sessions, and leaves nothing behind', async (by) => {
    const { email, id, key, codes, first } = await withTwoFactor();
    const own = tokenReply.parse(await (await renewed(first)).json());
    const other = await (await byPassword(email, { code: codes[9] ?? '' })).json();
    expect((await disable(own, codes[9] ?? '')).status).toBe(400);
    expect((await infoOf(own)).twoFactorEnabled).toBe(true);
    later();
    expect((await disable(own, by === 'a code' ? codeOf(key) : (codes[0] ?? ''))).status).toBe(200);
    expect((await call(accountInfo, other)).status).toBe(401);
    const next = tokenReply.parse(await (await renewed(own)).json());
    expect(await infoOf(next)).toMatchObject({ twoFactorEnabled: false, recoveryCodesLeft: 0 });
    const reply = await byPassword(email);
    expect(decodeJwt((await reply.json()).id_token).amr).toEqual(['pwd']);
    expect(await logOf(id)).toContain('two-factor.disabled');
    expect((await disable(next, codes[1] ?? '')).status).toBe(400);
  });
});
