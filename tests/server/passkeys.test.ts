import { describe, expect, it } from 'vitest';
import {
  passkeyAdd,
  passkeyOptions,
  passkeyProof,
  passkeyProofOptions,
  passkeyRemove,
  passkeyRename,
  passkeysGet,
} from '../../contract/passkeys.ts';
import { sessionLock, sessionsGet } from '../../contract/sessions.ts';
import { tokenReply } from '../../contract/sign-in.ts';
import { twoFactorDisable, twoFactorReset, twoFactorSetup, twoFactorVerify } from '../../contract/two-factor.ts';
import { accountDelete } from '../../contract/users.ts';
import { codeOf } from './authenticator.ts';
import { password } from './clinic.ts';
import { passkeysUnderTest, statusAndCode } from './passkeys-under-test.ts';
import { runServer, signIn } from './running-server.ts';
import { softwarePasskey } from './software-passkey.ts';

const bench = passkeysUnderTest();
const { call, proveByPassword, creation, add, newUser, withPasskey, list, infoOf, logOf } = bench;

describe('a new passkey', () => {
  it('needs a recent proof: the password, of a user without a second factor', async () => {
    const { tokens } = await newUser();
    expect(await statusAndCode(await call(passkeyOptions, tokens, {}))).toEqual([400, 'proof-needed']);
    const wrong = await call(passkeyProof, tokens, { kind: 'password', password: 'Wrong-2026!' });
    expect(await statusAndCode(wrong)).toEqual([400, 'incorrect-password']);
    expect(await statusAndCode(await call(passkeyOptions, tokens, {}))).toEqual([400, 'proof-needed']);
    expect((await proveByPassword(tokens)).status).toBe(200);
    const options = await creation(tokens);
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Dentarium' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  });

  it('is a second factor, with recovery codes, is logged, and ends the other sessions', async () => {
    const { email, id, tokens } = await newUser();
    const other = await signIn(bench.url(), email);
    await proveByPassword(tokens);
    const { reply } = await add(tokens);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect((await reply.json()).recoveryCodes).toHaveLength(10);
    expect(await list(tokens)).toMatchObject([{ name: 'Office', usedAt: null }]);
    expect(await infoOf(tokens)).toMatchObject({
      twoFactorEnabled: true,
      hasAuthenticator: false,
      passkeys: 1,
      recoveryCodesLeft: 10,
    });
    expect((await call(passkeysGet, other)).status).toBe(401);
    expect(await logOf(id)).toContain('passkey.added: Office');
  });

  it('is enough for a policy that requires two factors, under which it can be added', async () => {
    const policy = (twoFactorFrom: string | null) =>
      bench.database.db
        .updateTable('customer')
        .set({ account_policy: JSON.stringify({ twoFactorFrom }) })
        .where('id', '=', bench.customerId)
        .execute();
    const { tokens } = await newUser();
    await policy('2026-01-01');
    try {
      expect(await infoOf(tokens)).toMatchObject({ restriction: 'two-factor-needed' });
      expect(await statusAndCode(await call(sessionsGet, tokens))).toEqual([403, 'two-factor-needed']);
      await proveByPassword(tokens);
      expect((await add(tokens)).reply.status).toBe(200);
      expect(await infoOf(tokens)).toMatchObject({ restriction: null });
      expect((await call(sessionsGet, tokens)).status).toBe(200);
    } finally {
      await policy(null);
    }
  });

  it('may be one of several, of which a later one brings no new recovery codes', async () => {
    const { tokens } = await withPasskey();
    const { reply } = await add(tokens);
    expect(await reply.json()).toEqual({ recoveryCodes: null });
    expect(await list(tokens)).toHaveLength(2);
    expect((await creation(tokens)).excludeCredentials).toHaveLength(2);
  });

  it('is refused with a used challenge, another origin or address, and without verification of the user', async () => {
    const { tokens } = await newUser();
    await proveByPassword(tokens);
    const passkey = softwarePasskey(bench.url());
    const response = passkey.create(await creation(tokens), { origin: 'https://other.example' });
    expect(await statusAndCode(await call(passkeyAdd, tokens, { name: 'x', response }))).toEqual([
      400,
      'incorrect-passkey',
    ]);
    for (const deviation of [{ rpId: 'other.example' }, { isUnverified: true }, { challenge: 'AAAA' }])
      expect((await add(tokens, deviation)).reply.status).toBe(400);
    const options = await creation(tokens);
    const body = { name: 'x', response: passkey.create(options) };
    expect((await call(passkeyAdd, tokens, body)).status).toBe(200);
    const again = { name: 'x', response: softwarePasskey(bench.url()).create(options) };
    expect(await statusAndCode(await call(passkeyAdd, tokens, again))).toEqual([400, 'incorrect-passkey']);
    expect(await list(tokens)).toHaveLength(1);
  });

  it('has a credential id that no other account has', async () => {
    const first = await withPasskey();
    const second = await newUser();
    await proveByPassword(second.tokens);
    const { reply } = await add(second.tokens, {}, first.passkey);
    expect(await statusAndCode(reply)).toEqual([409, 'conflict']);
  });

  it('answers no challenge of another session', async () => {
    const [one, two] = [await newUser(), await newUser()];
    await proveByPassword(one.tokens);
    await proveByPassword(two.tokens);
    const response = softwarePasskey(bench.url()).create(await creation(one.tokens));
    await creation(two.tokens);
    expect((await call(passkeyAdd, two.tokens, { name: 'x', response })).status).toBe(400);
  });

  it('is not made where browsers refuse it: at an IP address, and without HTTPS', async () => {
    const { tokens } = await newUser();
    const at = bench.running.url;
    expect(await (await call(passkeysGet, tokens, undefined, at)).json()).toMatchObject({ isAvailable: false });
    expect(await statusAndCode(await call(passkeyOptions, tokens, {}, at))).toEqual([409, 'passkey-unavailable']);
    expect(await (await call(passkeysGet, tokens)).json()).toMatchObject({ isAvailable: true });
  });

  it('belongs to the public address, whatever the request names', async () => {
    const node = await runServer(bench.database.database, { publicUrl: 'https://arkiv.example' });
    try {
      const { tokens } = await newUser();
      const own = tokenReply.parse(
        await (
          await fetch(`${node.url}/connect/token`, {
            method: 'POST',
            headers: { origin: 'https://arkiv.example' },
            body: new URLSearchParams({
              client_id: 'dentarium-web',
              grant_type: 'password',
              username: (await infoOf(tokens)).email,
              password,
              scope: 'openid api.read offline_access',
            }),
          })
        ).json(),
      );
      await call(passkeyProof, own, { kind: 'password', password }, node.url);
      const options = await (await call(passkeyOptions, own, {}, node.url)).json();
      expect(options.rp.id).toBe('arkiv.example');
      const response = softwarePasskey('https://arkiv.example').create(options);
      expect((await call(passkeyAdd, own, { name: 'x', response }, node.url)).status).toBe(200);
    } finally {
      await node.close();
    }
  });
});

describe('a proof', () => {
  it('of an account with a passkey is the passkey or a recovery code, not the password', async () => {
    const { email, passkey, codes } = await withPasskey();
    const next = async (code: string) => tokenReply.parse(await (await bench.byPassword(email, { code })).json());
    const tokens = await next(codes[0] ?? '');
    expect(await statusAndCode(await proveByPassword(tokens))).toEqual([400, 'code-needed']);
    const request = async () => (await call(passkeyProofOptions, tokens, {})).json();
    const stranger = softwarePasskey(bench.url());
    const strange = await call(passkeyProof, tokens, { kind: 'passkey', response: stranger.use(await request()) });
    expect(await statusAndCode(strange)).toEqual([400, 'incorrect-passkey']);
    expect(await statusAndCode(await call(passkeyOptions, tokens, {}))).toEqual([400, 'proof-needed']);
    const right = await call(passkeyProof, tokens, { kind: 'passkey', response: passkey.use(await request()) });
    expect(right.status).toBe(200);
    expect((await call(passkeyOptions, tokens, {})).status).toBe(200);
    const other = await next(codes[1] ?? '');
    expect((await call(passkeyProof, other, { kind: 'code', code: codes[2] })).status).toBe(200);
    expect(await statusAndCode(await call(passkeyProof, other, { kind: 'code', code: codes[2] }))).toEqual([
      400,
      'incorrect-code',
    ]);
  });
});

describe('a passkey', () => {
  it('is renamed and removed by its owner alone, who proved it', async () => {
    const { email, id, tokens, codes } = await withPasskey();
    const [{ id: passkeyId }] = await list(tokens);
    const stranger = await newUser();
    await proveByPassword(stranger.tokens);
    for (const [route, body] of [
      [passkeyRename, { id: passkeyId, name: 'Mine' }],
      [passkeyRemove, { id: passkeyId }],
    ] as const) {
      expect(await statusAndCode(await call(route, stranger.tokens, body))).toEqual([404, 'not-found']);
      const unproved = tokenReply.parse(await (await bench.byPassword(email, { code: codes.pop() ?? '' })).json());
      expect(await statusAndCode(await call(route, unproved, body))).toEqual([400, 'proof-needed']);
    }
    expect((await call(passkeyRename, tokens, { id: passkeyId, name: 'Home' })).status).toBe(200);
    expect(await list(tokens)).toMatchObject([{ name: 'Home' }]);
    expect((await call(passkeyRemove, tokens, { id: passkeyId })).status).toBe(200);
    expect(await infoOf(tokens)).toMatchObject({ twoFactorEnabled: false, passkeys: 0, recoveryCodesLeft: 0 });
    expect(await logOf(id)).toEqual(expect.arrayContaining(['passkey.renamed: Home', 'passkey.removed: Home']));
  });

  it('stays when the authenticator app is turned off, as the recovery codes do', async () => {
    const { tokens, id } = await withPasskey();
    expect(await statusAndCode(await call(twoFactorDisable, tokens, { verificationCode: '123456' }))).toEqual([
      409,
      'conflict',
    ]);
    const { sharedKey } = (await (await call(twoFactorSetup, tokens)).json()).data;
    const on = await call(twoFactorVerify, tokens, { verificationCode: codeOf(sharedKey) });
    const { recoveryCodes } = (await on.json()).data;
    expect((await call(twoFactorDisable, tokens, { verificationCode: recoveryCodes[0] })).status).toBe(200);
    expect(await infoOf(tokens)).toMatchObject({ twoFactorEnabled: true, passkeys: 1, recoveryCodesLeft: 9 });
    expect(await logOf(id)).toContain('two-factor.disabled');
  });

  it('protects the set-up of an authenticator app, which needs a recent proof', async () => {
    const { email, codes } = await withPasskey();
    const tokens = tokenReply.parse(await (await bench.byPassword(email, { code: codes[0] ?? '' })).json());
    expect(await statusAndCode(await call(twoFactorSetup, tokens))).toEqual([400, 'proof-needed']);
    expect((await call(passkeyProof, tokens, { kind: 'code', code: codes[1] })).status).toBe(200);
    expect((await call(twoFactorSetup, tokens)).status).toBe(200);
  });

  it('proves an administrator who resets another user', async () => {
    const admin = await newUser({ role: 'CustomerAdmin' });
    await proveByPassword(admin.tokens);
    const { passkey, reply } = await add(admin.tokens);
    const { recoveryCodes } = await reply.json();
    const tokens = tokenReply.parse(await (await bench.byPassword(admin.email, { code: recoveryCodes[0] })).json());
    const { id } = await withPasskey();
    expect(await statusAndCode(await call(twoFactorReset, tokens, { id }))).toEqual([400, 'proof-needed']);
    expect(await statusAndCode(await call(twoFactorReset, tokens, { id, proof: password }))).toEqual([
      400,
      'incorrect-code',
    ]);
    const response = passkey.use(await (await call(passkeyProofOptions, tokens, {})).json());
    expect((await call(passkeyProof, tokens, { kind: 'passkey', response })).status).toBe(200);
    expect((await call(twoFactorReset, tokens, { id })).status).toBe(200);
  });

  it('is not reached by a locked session', async () => {
    const { tokens } = await withPasskey();
    await call(sessionLock, tokens, {});
    for (const [route, body] of [
      [passkeysGet, undefined],
      [passkeyOptions, {}],
      [passkeyProofOptions, {}],
    ] as const)
      expect(await statusAndCode(await call(route, tokens, body))).toEqual([403, 'session-locked']);
  });

  it('is removed with a reset of two-factor authentication, and with the account', async () => {
    const admin = await newUser({ role: 'CustomerAdmin' });
    const [reset, deleted] = [await withPasskey(), await withPasskey()];
    const left = (id: string) =>
      bench.database.db.selectFrom('passkey').select('id').where('account_id', '=', id).execute();
    expect(await left(reset.id)).toHaveLength(1);
    expect((await call(twoFactorReset, admin.tokens, { id: reset.id, proof: password })).status).toBe(200);
    expect(await left(reset.id)).toEqual([]);
    expect((await bench.byPassword(reset.email)).status).toBe(200);
    const gone = { ...accountDelete, path: accountDelete.path.replace(':id', deleted.id) };
    expect((await call(gone, admin.tokens)).status).toBe(200);
    expect(await left(deleted.id)).toEqual([]);
  });
});
