import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { accountInfo } from '../../contract/account.ts';
import { tokenReply } from '../../contract/sign-in.ts';
import { twoFactorSetup } from '../../contract/two-factor.ts';
import { newSharedKey, timeStepOf } from '../../server/identity/totp.ts';
import { codeOf } from './authenticator.ts';
import { addAccount } from './clinic.ts';
import { signIn } from './running-server.ts';
import { errorOf, later, step, twoFactorUnderTest } from './two-factor-under-test.ts';

const bench = twoFactorUnderTest();
const { byPassword, call, verify, disable, keyFor, infoOf, renewed, logOf, withTwoFactor } = bench;

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
    const tokens = await signIn(bench.running.url, 'doctor@prov.example');
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
    const stored = JSON.stringify(await bench.database.db.selectFrom('recovery_code').selectAll().execute());
    for (const code of codes) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replace('-', ''));
    }
    expect(await errorOf(await byPassword(email))).toEqual([400, 'code-needed']);
    expect(await logOf(id)).toContain('two-factor.enabled');
  });

  it('is rejected with a wrong code, without a pending key, and while it is on', async () => {
    const tokens = await signIn(bench.running.url, 'admin@prov.example');
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
    await addAccount(bench.database.db, { email, role: 'Doctor', customerId: bench.customerId });
    const [own, other] = [await signIn(bench.running.url, email), await signIn(bench.running.url, email)];
    const key = await keyFor(own);
    expect((await verify(own, codeOf(key))).status).toBe(200);
    expect((await call(accountInfo, other)).status).toBe(401);
    expect((await renewed(other)).status).toBe(400);
    const next = tokenReply.parse(await (await renewed(own)).json());
    expect(await infoOf(next)).toMatchObject({ twoFactorEnabled: true, recoveryCodesLeft: 10 });
  });
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
