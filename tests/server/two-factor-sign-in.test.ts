import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { tokenReply } from '../../contract/sign-in.ts';
import { accountById } from '../../server/db/stores/account-store.ts';
import { secondFactorOf } from '../../server/identity/second-factor.ts';
import { codeOf } from './authenticator.ts';
import { holdBlocks } from './hold-blocks.ts';
import { signIn } from './running-server.ts';
import { errorOf, later, step, twoFactorUnderTest } from './two-factor-under-test.ts';
import { vaultUnderTest } from './vault-under-test.ts';

const bench = twoFactorUnderTest();
const { byPassword, verify, disable, keyFor, infoOf, renewed, logOf, withTwoFactor } = bench;

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
    expect(JSON.stringify(await bench.database.db.selectFrom('access_log').selectAll().execute())).not.toContain(code);
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
    await holdBlocks(bench.database.db);
    expect(await errorOf(await byPassword(email, { code: codeOf(key) }))).toEqual([429, 'too-many-requests']);
  });

  it('is not reset by the right password in between', async () => {
    const { email, key } = await withTwoFactor();
    for (const code of wrongCodes(key, 4)) {
      expect(await errorOf(await byPassword(email, { code }))).toEqual([400, 'incorrect-code']);
      expect(await errorOf(await byPassword(email))).toEqual([400, 'code-needed']);
    }
    expect((await byPassword(email, { code: '999999x' })).status).toBe(400);
    await holdBlocks(bench.database.db);
    expect((await byPassword(email, { code: codeOf(key) })).status).toBe(429);
  });

  it('is still counted after the delay of the password, and reset by the right code', async () => {
    const { email, key, id } = await withTwoFactor();
    for (const code of wrongCodes(key, 5)) await byPassword(email, { code });
    const past = { blocked_until: new Date(Date.now() - 60_000) };
    await bench.database.db.updateTable('sign_in_attempt').set(past).execute();
    expect((await byPassword(email, { code: '999999x' })).status).toBe(400);
    await holdBlocks(bench.database.db);
    expect((await byPassword(email, { code: codeOf(key) })).status).toBe(429);
    await bench.database.db.updateTable('sign_in_attempt').set(past).execute();
    expect((await byPassword(email, { code: codeOf(key) })).status).toBe(200);
    // Only the count of the address is left, from which all of this came.
    expect(await bench.database.db.selectFrom('sign_in_attempt').select('key').execute()).toHaveLength(1);
    expect(await logOf(id)).toContain('sign-in: password');
  });

  it('is limited when enabling or disabling, too', async () => {
    const { first, key } = await withTwoFactor();
    const own = tokenReply.parse(await (await renewed(first)).json());
    for (const code of wrongCodes(key, 5)) expect((await disable(own, code)).status).toBe(400);
    await holdBlocks(bench.database.db);
    expect((await disable(own, codeOf(key))).status).toBe(429);
    const tokens = await signIn(bench.running.url, 'super@prov.example');
    const offer = await keyFor(tokens);
    const replies = await Promise.all(wrongCodes(offer, 5).map((code) => verify(tokens, code)));
    expect(replies.map((reply) => reply.status)).toEqual([400, 400, 400, 400, 400]);
    await holdBlocks(bench.database.db);
    expect((await verify(tokens, codeOf(offer))).status).toBe(429);
  });
});

it('counts simultaneous guesses before checking any', async () => {
  const { id, key } = await withTwoFactor();
  const account = await accountById(bench.database.db, id);
  if (!account) throw new Error('no account');
  const far = Array.from({ length: 12 }, (_, index) => codeOf(key, Date.now() + (10 + index) * step));
  const outcomes = await Promise.allSettled(
    far.map((code) => secondFactorOf(bench.database.db, vaultUnderTest()).accepts(account, code)),
  );
  const rejected = outcomes.filter(({ status }) => status === 'rejected');
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled' && !outcome.value)).toHaveLength(
    12 - rejected.length,
  );
  // The fifth starts a delay of a second; after a suspension of the machine a sixth may have come in.
  expect(rejected.length).toBeGreaterThanOrEqual(5);
});
