import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { welcome } from '../../contract/about.ts';
import type { PasskeyAssertion } from '../../contract/passkey-messages.ts';
import { sessionsGet } from '../../contract/sessions.ts';
import { tokenError } from '../../contract/sign-in.ts';
import { password } from './clinic.ts';
import { comeBack, exchange } from './flow.ts';
import { holdBlocks } from './hold-blocks.ts';
import { passkeysUnderTest, statusAndCode } from './passkeys-under-test.ts';
import { softwarePasskey } from './software-passkey.ts';

const bench = passkeysUnderTest();
const { call, withPasskey, byPassword, start, logOf } = bench;

const refused = [400, 'incorrect-passkey'];
type Started = Awaited<ReturnType<typeof start>>;
const send = (started: Started, response: PasskeyAssertion) => started.post('passkey', { response });
const tokensOf = async (started: Started, reply: Response) => {
  const { redirectTo } = await reply.json();
  const code = (await comeBack(bench.url(), started.jar, redirectTo)).get('code') ?? '';
  return (await exchange(bench.url(), code, started)).json();
};

describe('signing in with a passkey alone', () => {
  it('is offered once a user has one', async () => {
    const offered = async () =>
      (await (await fetch(`${bench.url()}${welcome.path}`)).json()).methods.map(
        ({ method }: { method: string }) => method,
      );
    await bench.database.db.deleteFrom('passkey').execute();
    expect(await offered()).not.toContain('passkey');
    await withPasskey();
    expect(await offered()).toContain('passkey');
  });

  it('needs no further code, and is named in the log and in the list of sessions', async () => {
    const { id, passkey } = await withPasskey();
    const started = await start();
    const options = await started.request();
    expect(options).toMatchObject({ rpId: 'localhost', allowCredentials: [], userVerification: 'required' });
    const reply = await send(started, passkey.use(options));
    const tokens = await tokensOf(started, reply);
    expect(decodeJwt(tokens.id_token)).toMatchObject({ sub: id, amr: ['mfa', 'pop'] });
    expect(await logOf(id)).toContain('sign-in: passkey');
    expect(
      (await (await call(sessionsGet, tokens)).json()).find((one: { isCurrent: boolean }) => one.isCurrent),
    ).toMatchObject({
      method: 'passkey',
    });
    expect(await bench.list(tokens)).toMatchObject([{ usedAt: expect.any(String) }]);
  });

  it('refuses a replayed reply, and a challenge of another interaction', async () => {
    const { passkey } = await withPasskey();
    const [one, two] = [await start(), await start()];
    const response = passkey.use(await one.request());
    expect(await statusAndCode(await send(two, response))).toEqual([400, 'incorrect-passkey']);
    expect((await send(one, response)).status).toBe(200);
    const three = await start();
    await three.request();
    expect(await statusAndCode(await send(three, response))).toEqual([400, 'incorrect-passkey']);
  });

  it.each([
    ['another origin', { origin: 'https://phishing.example' }],
    ['another relying party', { rpId: 'phishing.example' }],
    ['no verification of the user', { isUnverified: true }],
    ['another challenge', { challenge: 'AAAA' }],
    ['another account', { userHandle: '00000000-0000-4000-8000-000000000001' }],
  ])('refuses a reply with %s, and logs it', async (_, deviation) => {
    const { id, passkey } = await withPasskey();
    const started = await start();
    expect(await statusAndCode(await send(started, passkey.use(await started.request(), deviation)))).toEqual(refused);
    expect(await logOf(id)).toContain('sign-in.refused: incorrect-passkey');
  });

  it('refuses a counter that goes backwards, and logs it', async () => {
    const { id, passkey } = await withPasskey();
    const attempt = async (counter: number) => {
      const started = await start();
      return send(started, passkey.use(await started.request(), { counter }));
    };
    expect((await attempt(9)).status).toBe(200);
    for (const counter of [9, 3, 0]) expect(await statusAndCode(await attempt(counter))).toEqual(refused);
    expect((await logOf(id)).filter((entry) => entry === 'sign-in.refused: passkey-counter')).toHaveLength(3);
    expect((await attempt(10)).status).toBe(200);
  });

  it('accepts passkeys without a counter, which report 0', async () => {
    const { passkey } = await withPasskey();
    for (const _ of [1, 2]) {
      const started = await start();
      expect((await send(started, passkey.use(await started.request(), { counter: 0 }))).status).toBe(200);
    }
  });

  it('refuses a deactivated account and an unknown passkey', async () => {
    const { id, passkey } = await withPasskey();
    await bench.database.db.updateTable('account').set({ is_active: false }).where('id', '=', id).execute();
    const started = await start();
    expect(await statusAndCode(await send(started, passkey.use(await started.request())))).toEqual([
      403,
      'account-inactive',
    ]);
    const other = await start();
    const unknown = softwarePasskey(bench.url()).use(await other.request());
    expect(await statusAndCode(await send(other, unknown))).toEqual(refused);
  });

  it('waits for an account whose password was guessed too often', async () => {
    const { email, passkey } = await withPasskey();
    for (const _ of [1, 2, 3, 4, 5]) await byPassword(email, { password: 'Wrong-2026!' });
    await holdBlocks(bench.database.db);
    const started = await start();
    expect(await statusAndCode(await send(started, passkey.use(await started.request())))).toEqual([
      429,
      'too-many-requests',
    ]);
  });

  it('ends when it cannot belong to the interaction of the cookie', async () => {
    const started = await start();
    started.jar.clear();
    expect(await statusAndCode(await started.post('passkey_options', {}))).toEqual([410, 'sign-in-expired']);
  });
});

describe('a passkey as second factor', () => {
  it('completes the password grant, once', async () => {
    const { email, id, passkey } = await withPasskey();
    const asked = tokenError.parse(await (await byPassword(email)).json());
    expect(asked).toMatchObject({ error_description: 'code-needed', second_factors: ['passkey'] });
    expect(asked.passkey?.allowCredentials).toMatchObject([{ id: passkey.id }]);
    if (!asked.passkey) throw new Error('no options');
    const fields = { passkey: JSON.stringify(passkey.use(asked.passkey)) };
    const reply = await byPassword(email, fields);
    expect(reply.status).toBe(200);
    expect(decodeJwt((await reply.json()).id_token).amr).toEqual(['pwd', 'pop']);
    const again = tokenError.parse(await (await byPassword(email, fields)).json());
    expect(again.error_description).toBe('incorrect-passkey');
    expect(again.passkey?.challenge).not.toBe(asked.passkey.challenge);
    expect(await logOf(id)).toContain('sign-in.refused: incorrect-passkey');
  });

  it('is mentioned only after the correct password', async () => {
    const { email } = await withPasskey();
    const wrong = tokenError.parse(await (await byPassword(email, { password: 'Wrong-2026!' })).json());
    expect(wrong).toEqual({ error: 'invalid_grant', error_description: 'incorrect-login' });
  });

  it('is not that of another account, nor text that is no reply', async () => {
    const [one, two] = [await withPasskey(), await withPasskey()];
    const asked = tokenError.parse(await (await byPassword(one.email)).json());
    if (!asked.passkey) throw new Error('no options');
    const fields = { passkey: JSON.stringify(two.passkey.use(asked.passkey)) };
    expect((await (await byPassword(one.email, fields)).json()).error_description).toBe('incorrect-passkey');
    expect((await (await byPassword(one.email, { passkey: '{' })).json()).error_description).toBe('incorrect-passkey');
  });

  it('may be replaced by a recovery code', async () => {
    const { email, codes } = await withPasskey();
    expect((await byPassword(email, { code: codes[0] ?? '' })).status).toBe(200);
    expect((await byPassword(email, { code: codes[0] ?? '' })).status).toBe(400);
  });

  it('completes an interaction, also after a wrong one', async () => {
    const { id, email, passkey } = await withPasskey();
    const started = await start();
    const asked = await (await started.post('password', { username: email, password })).json();
    expect(asked).toEqual({ outcome: 'code-needed', factors: ['passkey'] });
    expect((await (await started.get('details')).json()).pending).toEqual(asked);
    const options = await started.request();
    expect(options.allowCredentials).toMatchObject([{ id: passkey.id }]);
    const other = await withPasskey();
    expect(await statusAndCode(await send(started, other.passkey.use(options)))).toEqual(refused);
    const reply = await send(started, passkey.use(await started.request()));
    const { id_token } = await tokensOf(started, reply);
    expect(decodeJwt(id_token)).toMatchObject({ sub: id, amr: ['pwd', 'pop'] });
  });

  it('is blocked after five wrong ones, like codes', async () => {
    const { email, passkey } = await withPasskey();
    const stranger = softwarePasskey(bench.url());
    let asked = tokenError.parse(await (await byPassword(email)).json());
    for (const _ of [1, 2, 3, 4, 5]) {
      if (!asked.passkey) throw new Error('no options');
      const reply = await byPassword(email, { passkey: JSON.stringify(stranger.use(asked.passkey)) });
      asked = tokenError.parse(await reply.json());
    }
    await holdBlocks(bench.database.db);
    if (!asked.passkey) throw new Error('no options');
    const reply = await byPassword(email, { passkey: JSON.stringify(passkey.use(asked.passkey)) });
    expect([reply.status, (await reply.json()).error_description]).toEqual([429, 'too-many-requests']);
  });
});
