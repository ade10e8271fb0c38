import { describe, expect, it } from 'vitest';
import { passkeyOptions } from '../../contract/passkeys.ts';
import { pinRemove, pinSet } from '../../contract/pins.ts';
import { sessionLock, sessionsGet, sessionUnlock } from '../../contract/sessions.ts';
import { openid, type TokenReply } from '../../contract/sign-in.ts';
import { accountDelete, setPassword } from '../../contract/users.ts';
import { addResetLink } from '../../server/db/stores/password-resets.ts';
import { hashedToken } from '../../server/db/stores/token-hash.ts';
import { operatorChanges } from '../../server/identity/operator-changes.ts';
import { resetPasswordBy } from '../../server/identity/password-reset.ts';
import { password } from './clinic.ts';
import { passkeysUnderTest, statusAndCode } from './passkeys-under-test.ts';
import { requestTokens, signIn } from './running-server.ts';

const bench = passkeysUnderTest();
const { call, proveByPassword, newUser, infoOf, logOf } = bench;

const pin = '730182';
const lock = (tokens: TokenReply) => call(sessionLock, tokens, {});
const unlock = async (tokens: TokenReply, by: object) => statusAndCode(await call(sessionUnlock, tokens, by));
const isOpen = async (tokens: TokenReply) => (await call(sessionsGet, tokens)).status === 200;
const done = [200, undefined];
const hashOf = async (id: string) =>
  (await bench.database.db.selectFrom('account').select('pin_hash').where('id', '=', id).executeTakeFirst())?.pin_hash;

const withPin = async (by: Parameters<typeof newUser>[0] = {}) => {
  const user = await newUser(by);
  await proveByPassword(user.tokens);
  expect(await statusAndCode(await call(pinSet, user.tokens, { pin }))).toEqual(done);
  return user;
};
const wrongPins = async (tokens: TokenReply, count: number) => {
  const replies: unknown[] = [];
  for (let guess = 0; guess < count; guess += 1) {
    // The waiting times of the account are another limit.
    await bench.database.db.deleteFrom('sign_in_attempt').execute();
    replies.push((await unlock(tokens, { pin: `40381${guess}` }))[1]);
  }
  await bench.database.db.deleteFrom('sign_in_attempt').execute();
  return replies;
};

describe('a PIN', () => {
  it('is set, changed and removed after a recent proof, hashed, and logged', async () => {
    const { id, tokens } = await newUser();
    for (const [route, body] of [
      [pinSet, { pin }],
      [pinRemove, {}],
    ] as const)
      expect(await statusAndCode(await call(route, tokens, body))).toEqual([400, 'proof-needed']);
    expect((await infoOf(tokens)).pin).toBe('none');
    await proveByPassword(tokens);
    expect(await statusAndCode(await call(pinRemove, tokens, {}))).toEqual([404, 'not-found']);
    expect(await statusAndCode(await call(pinSet, tokens, { pin }))).toEqual(done);
    expect((await infoOf(tokens)).pin).toBe('usable');
    expect(await hashOf(id)).toMatch(/^\$argon2id\$/);
    expect(await statusAndCode(await call(pinSet, tokens, { pin: '8264' }))).toEqual(done);
    expect(await statusAndCode(await call(pinRemove, tokens, {}))).toEqual(done);
    expect((await infoOf(tokens)).pin).toBe('none');
    expect((await logOf(id)).filter((entry) => entry.startsWith('pin.'))).toEqual([
      'pin.set',
      'pin.changed',
      'pin.removed',
    ]);
    expect((await logOf(id)).join()).not.toMatch(/730182|8264/);
  });

  it('has 4 to 12 digits, and is not one of those that are guessed first', async () => {
    const { id, tokens } = await newUser();
    await bench.database.db
      .updateTable('account')
      .set({ personal_number: '19800101-9804', telephone: '+46 70-174 06 05' })
      .where('id', '=', id)
      .execute();
    await proveByPassword(tokens);
    const reply = async (one: string) => (await call(pinSet, tokens, { pin: one })).json();
    for (const one of ['123', '1234567890123', '12a4', '١٢٣٤'])
      expect(await reply(one), one).toMatchObject({ code: 'invalid-request' });
    for (const one of ['7777', '2345', '9876', '8901', '9804', '800101', '010180', '1980', '701740', '0605'])
      expect(await reply(one), one).toMatchObject({ errors: [{ fieldKey: 'pin', vars: { rule: 'common' } }] });
    expect(await hashOf(id)).toBeNull();
    for (const one of ['7301', '730182946153']) expect((await call(pinSet, tokens, { pin: one })).status).toBe(200);
  });

  it('unlocks the locked session of its user, which the log names', async () => {
    const { id, email, tokens } = await withPin();
    const other = await signIn(bench.url(), email);
    await lock(tokens);
    await lock(other);
    expect(await unlock(tokens, { pin: '730183' })).toEqual([400, 'incorrect-pin']);
    expect(await isOpen(tokens)).toBe(false);
    expect(await unlock(tokens, { pin })).toEqual(done);
    expect(await isOpen(tokens)).toBe(true);
    expect(await isOpen(other)).toBe(false);
    expect(await unlock(other, { password })).toEqual(done);
    expect(await logOf(id)).toEqual(
      expect.arrayContaining(['sign-in.refused: incorrect-pin', 'session.unlocked: pin', 'session.unlocked: password']),
    );
  });

  it('is accepted for a locked session alone, and proves nothing else', async () => {
    const { email, tokens } = await withPin();
    expect(await unlock(tokens, { pin })).toEqual([409, 'conflict']);
    const reply = await requestTokens(bench.url(), {
      grant_type: 'password',
      username: email,
      password: pin,
      scope: openid.scope,
    });
    expect(reply.status).toBe(400);
    const fresh = await signIn(bench.url(), email);
    const proof = { ...sessionUnlock, path: '/auth/api/passkeys/proof' };
    expect((await call(proof, fresh, { kind: 'password', password: pin })).status).toBe(400);
    expect((await call(proof, fresh, { kind: 'pin', pin })).status).toBe(400);
    expect(await statusAndCode(await call(passkeyOptions, fresh, {}))).toEqual([400, 'proof-needed']);
    await lock(fresh);
    for (const [route, body] of [
      [pinSet, { pin: '8264' }],
      [pinRemove, {}],
    ] as const)
      expect(await statusAndCode(await call(route, fresh, body))).toEqual([403, 'session-locked']);
  });

  it('that was wrong five times unlocks the session only after the password did', async () => {
    const { email, tokens } = await withPin();
    const other = await signIn(bench.url(), email);
    await lock(tokens);
    await lock(other);
    expect(await wrongPins(tokens, 5)).toEqual([...Array(4).fill('incorrect-pin'), 'pin-unavailable']);
    expect(await unlock(tokens, { pin })).toEqual([409, 'pin-unavailable']);
    expect((await infoOf(tokens)).pin).toBe('blocked');
    // Locking again gives no more attempts.
    await lock(tokens);
    expect(await unlock(tokens, { pin })).toEqual([409, 'pin-unavailable']);
    expect(await unlock(other, { pin })).toEqual(done);
    expect(await unlock(tokens, { password })).toEqual(done);
    expect((await infoOf(tokens)).pin).toBe('usable');
    await lock(tokens);
    expect(await unlock(tokens, { pin })).toEqual(done);
  });

  it('is not guessed by calls at the same moment', async () => {
    const { id, tokens } = await withPin();
    await lock(tokens);
    const guesses = Array.from({ length: 12 }, (_, guess) => unlock(tokens, { pin: `4038${10 + guess}` }));
    const codes = (await Promise.all(guesses)).map(([, code]) => code);
    expect(codes).not.toContain(undefined);
    expect((await logOf(id)).filter((entry) => entry === 'sign-in.refused: incorrect-pin').length).toBeLessThanOrEqual(
      5,
    );
  });

  it('that is wrong counts as a wrong password', async () => {
    const { tokens } = await withPin();
    await lock(tokens);
    for (let guess = 0; guess < 4; guess += 1) await unlock(tokens, { pin: `40381${guess}` });
    expect(await unlock(tokens, { password: 'Wrong-2026!' })).toEqual([400, 'incorrect-password']);
    expect(await unlock(tokens, { password: 'Wrong-2026!' })).toEqual([429, 'too-many-requests']);
  });

  it('is seen by its user alone', async () => {
    const { id } = await withPin();
    const admin = await newUser({ role: 'CustomerAdmin' });
    const info = { method: 'GET', path: `/api/Account/info?id=${id}` };
    const reply = await (await call(info, admin.tokens)).json();
    expect([reply.id, reply.pin]).toEqual([id, 'none']);
  });

  it('is removed by a reset of the password, and when an administrator or the command line sets one', async () => {
    const { db } = bench.database;
    const admin = await newUser({ role: 'CustomerAdmin' });
    const [reset, set, commanded, deleted] = [await withPin(), await withPin(), await withPin(), await withPin()];
    const key = 'a'.repeat(43);
    await addResetLink(db, { accountId: reset.id, keyHash: hashedToken(key) }, 60);
    await resetPasswordBy(db)({ accountId: reset.id, key, password: 'Ny-vinter-2026!' });
    expect((await call(setPassword, admin.tokens, { id: set.id, password: 'Ny-vinter-2026!' })).status).toBe(200);
    await operatorChanges(db).setPassword(commanded.email, 'Ny-vinter-2026!');
    const gone = { ...accountDelete, path: accountDelete.path.replace(':id', deleted.id) };
    expect((await call(gone, admin.tokens)).status).toBe(200);
    for (const { id } of [reset, set, commanded, deleted]) expect(await hashOf(id)).toBeNull();
    expect(await logOf(reset.id)).toContain('pin.removed');
    expect((await logOf(admin.id)).some((entry) => entry.startsWith('pin.removed'))).toBe(true);
  });
});
