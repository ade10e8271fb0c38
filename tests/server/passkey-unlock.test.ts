import { describe, expect, it } from 'vitest';
import type { PasskeyRequest } from '../../contract/passkey-messages.ts';
import { pinSet } from '../../contract/pins.ts';
import { sessionLock, sessionsGet, sessionUnlock, sessionUnlockOptions } from '../../contract/sessions.ts';
import { type TokenReply, tokenReply } from '../../contract/sign-in.ts';
import { passkeysUnderTest, statusAndCode } from './passkeys-under-test.ts';
import { softwarePasskey } from './software-passkey.ts';

const bench = passkeysUnderTest();
const { call, newUser, withPasskey, infoOf, logOf } = bench;

const lock = (tokens: TokenReply) => call(sessionLock, tokens, {});
const request = async (tokens: TokenReply): Promise<PasskeyRequest> =>
  (await call(sessionUnlockOptions, tokens, {})).json();
const unlock = async (tokens: TokenReply, passkey: object) =>
  statusAndCode(await call(sessionUnlock, tokens, { passkey }));
const isOpen = async (tokens: TokenReply) => (await call(sessionsGet, tokens)).status === 200;
const refused = [400, 'incorrect-passkey'];

describe('a locked session', () => {
  it('is unlocked by a passkey of its user, which the log names', async () => {
    const { id, tokens, passkey } = await withPasskey();
    await lock(tokens);
    const options = await request(tokens);
    expect(options).toMatchObject({ userVerification: 'required', allowCredentials: [{ type: 'public-key' }] });
    expect(await isOpen(tokens)).toBe(false);
    expect(await unlock(tokens, passkey.use(options))).toEqual([200, undefined]);
    expect(await isOpen(tokens)).toBe(true);
    expect(await logOf(id)).toContain('session.unlocked: passkey');
  });

  it('stays locked for a replayed reply, one without verification of the user, and one to another origin', async () => {
    const { id, tokens, passkey } = await withPasskey();
    await lock(tokens);
    const response = passkey.use(await request(tokens));
    expect(await unlock(tokens, response)).toEqual([200, undefined]);
    await lock(tokens);
    expect(await unlock(tokens, response)).toEqual(refused);
    for (const deviation of [{ isUnverified: true }, { origin: 'https://other.example' }, { challenge: 'AAAA' }])
      expect(await unlock(tokens, passkey.use(await request(tokens), deviation))).toEqual(refused);
    expect(await isOpen(tokens)).toBe(false);
    expect(await logOf(id)).toContain('sign-in.refused: incorrect-passkey');
  });

  it('stays locked for a passkey of another account, an unknown one, and a challenge of another session', async () => {
    const { email, tokens, passkey, codes } = await withPasskey();
    const stranger = await withPasskey();
    const other = tokenReply.parse(await (await bench.byPassword(email, { code: codes[0] ?? '' })).json());
    await lock(tokens);
    await lock(other);
    expect(await unlock(tokens, stranger.passkey.use(await request(tokens)))).toEqual(refused);
    expect(await unlock(tokens, softwarePasskey(bench.url()).use(await request(tokens)))).toEqual(refused);
    const ofOther = passkey.use(await request(other));
    await request(tokens);
    expect(await unlock(tokens, ofOther)).toEqual(refused);
    expect(await isOpen(tokens)).toBe(false);
  });

  it('has no challenge for a user without a passkey, and none where browsers refuse them', async () => {
    const { tokens } = await newUser();
    await lock(tokens);
    expect(await statusAndCode(await call(sessionUnlockOptions, tokens, {}))).toEqual([404, 'not-found']);
    const at = bench.running.url;
    expect(await statusAndCode(await call(sessionUnlockOptions, tokens, {}, at))).toEqual([409, 'passkey-unavailable']);
  });

  it('accepts the PIN again after the passkey unlocked it', async () => {
    const { tokens, passkey } = await withPasskey();
    expect((await call(pinSet, tokens, { pin: '730182' })).status).toBe(200);
    await lock(tokens);
    for (let guess = 0; guess < 5; guess += 1) {
      await bench.database.db.deleteFrom('sign_in_attempt').execute();
      await call(sessionUnlock, tokens, { pin: `40381${guess}` });
    }
    await bench.database.db.deleteFrom('sign_in_attempt').execute();
    expect((await infoOf(tokens)).pin).toBe('blocked');
    expect(await unlock(tokens, passkey.use(await request(tokens)))).toEqual([200, undefined]);
    expect((await infoOf(tokens)).pin).toBe('usable');
  });
});
