import { randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TokenReply } from '../../contract/sign-in.ts';
import { openKeys } from '../../server/identity/keys.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, runServer, signIn } from './running-server.ts';
import { signedBy } from './signed-token.ts';
import { vaultUnderTest } from './vault-under-test.ts';

let database: TestDatabase;
let running: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  running = await runServer(database.database);
});
beforeEach(() => database.db.deleteFrom('sign_in_attempt').execute());
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await running?.close();
  await database?.close();
});

const at = (moment: number) => vi.useFakeTimers({ toFake: ['Date'], now: moment });
const doctor = (url: string) => signIn(url, 'doctor@prov.example');
const call = async (tokens: TokenReply, url: string) =>
  (await fetch(`${url}/api/Account/info`, { headers: bearer(tokens) })).status;

describe('an access token', () => {
  it('tolerates ten seconds of clock difference, and not eleven', async () => {
    const tokens = await doctor(running.url);
    const [key = {}] = (await openKeys(database.db, vaultUnderTest())).current().tokens;
    const now = Math.floor(Date.now() / 1000);
    const status = async (changes: object) =>
      call({ ...tokens, access_token: await signedBy(key, tokens, { ...changes }) }, running.url);
    at(now * 1000);
    expect(await status({})).toBe(200);
    expect(await status({ exp: now - 9 })).toBe(200);
    expect(await status({ exp: now - 11 })).toBe(401);
    expect(await status({ nbf: now + 9 })).toBe(200);
    expect(await status({ nbf: now + 11 })).toBe(401);
  });

  it.each([
    ['another issuer', { iss: 'https://elsewhere.example' }, {}],
    ['another audience', { aud: 'urn:elsewhere' }, {}],
    ['no audience', { aud: undefined }, {}],
    ['another type', {}, { typ: 'JWT' }],
    ['a session that does not exist', { grant: 'x'.repeat(21) }, {}],
    ['no session', { grant: undefined }, {}],
    ['the session of another user', { sub: randomUUID() }, {}],
    ['no scope of calls', { scope: 'openid' }, {}],
    ['no time of issue', { iat: undefined }, {}],
    ['an earlier time of issue than any token that is valid', { iat: Math.floor(Date.now() / 1000) - 320 }, {}],
  ])('with %s is rejected', async (_, changes, header) => {
    const tokens = await doctor(running.url);
    const [key = {}] = (await openKeys(database.db, vaultUnderTest())).current().tokens;
    const changed = await signedBy(key, tokens, changes, header as Record<string, string>);
    expect(await call({ ...tokens, access_token: changed }, running.url)).toBe(401);
  });

  it('for another account in one’s own session is rejected', async () => {
    const tokens = await doctor(running.url);
    const [key = {}] = (await openKeys(database.db, vaultUnderTest())).current().tokens;
    const changed = await signedBy(key, tokens, { sub: clinic.superId });
    expect(await call({ ...tokens, access_token: changed }, running.url)).toBe(401);
  });

  it('that is unsigned, signed by a foreign key or by the public key as a secret is rejected', async () => {
    const tokens = await doctor(running.url);
    const [, payload = ''] = tokens.access_token.split('.');
    const [own = {}] = (await openKeys(database.db, vaultUnderTest())).current().tokens;
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${encoded({ alg: 'none', typ: 'at+jwt', kid: own.kid })}.${payload}.`;
    const foreign = await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey);
    const byForeign = await signedBy({ ...foreign, kid: String(own.kid) }, tokens);
    const byUnknown = await signedBy({ ...foreign, kid: await calculateJwkThumbprint(foreign) }, tokens);
    const shown = await (await fetch(`${running.url}/.well-known/openid-configuration/jwks`)).text();
    const confused = await new SignJWT(JSON.parse(Buffer.from(payload, 'base64url').toString()))
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: String(own.kid) })
      .sign(new TextEncoder().encode(shown));
    for (const token of [unsigned, byForeign, byUnknown, confused])
      expect(await call({ ...tokens, access_token: token }, running.url)).toBe(401);
    expect(await call(tokens, running.url)).toBe(200);
  });
});
