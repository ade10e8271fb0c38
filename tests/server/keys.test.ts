import { randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openid, type TokenReply, tokenReply } from '../../contract/sign-in.ts';
import { readIdentitySettings } from '../../server/identity/identity-settings.ts';
import { publishedAheadMs, rotateByAge, rotateNow } from '../../server/identity/key-generations.ts';
import { openKeys } from '../../server/identity/keys.ts';
import { addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { begin, comeBack, exchange } from './flow.ts';
import { bearer, type RunningServer, requestTokens, runServer, signIn } from './running-server.ts';
import { signedBy } from './signed-token.ts';
import { vaultUnderTest } from './vault-under-test.ts';

let database: TestDatabase;
const living: RunningServer[] = [];

/** A node that refreshes its keys at the given interval. */
const node = async (refreshSeconds = 3600) => {
  const settings = readIdentitySettings({});
  const running = await runServer(database.database, {
    identity: { ...settings, keys: { ...settings.keys, refreshSeconds: refreshSeconds } },
  });
  living.push(running);
  return running;
};

beforeEach(async () => {
  database = await testDatabase();
  await addTwoClinics(database.db);
});
afterEach(async () => {
  vi.useRealTimers();
  for (const one of living.splice(0)) await one.close();
  await database.close();
});

const rotate = (options = {}) =>
  database.db.transaction().execute((transaction) => rotateNow(transaction, vaultUnderTest(), options));
const at = (moment: number) => vi.useFakeTimers({ toFake: ['Date'], now: moment });
const doctor = (url: string) => signIn(url, 'doctor@prov.example');
const call = async (tokens: TokenReply, url: string) =>
  (await fetch(`${url}/api/Account/info`, { headers: bearer(tokens) })).status;
const renewed = async (tokens: TokenReply, url: string, attempt = randomUUID()) => {
  const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '', attempt };
  return tokenReply.parse(await (await requestTokens(url, fields)).json());
};
const keyOf = ({ access_token: token }: TokenReply) => decodeProtectedHeader(token).kid ?? '';
const published = async (url: string): Promise<string[]> => {
  const { keys } = await (await fetch(`${url}/.well-known/openid-configuration/jwks`)).json();
  return keys.map(({ kid }: { kid: string }) => kid);
};

describe('an immediate key rotation', () => {
  it('keeps sessions on nodes that have seen the new key and on those that have not', async () => {
    const [quick, slow] = [await node(0.05), await node()];
    const before = await doctor(slow.url);
    const started = await begin(slow.url, `http://localhost${openid.callbackPath}`);
    await rotate();
    await expect.poll(() => published(quick.url)).toHaveLength(2);

    const after = await doctor(quick.url);
    expect(keyOf(after)).not.toBe(keyOf(before));
    for (const url of [quick.url, slow.url]) {
      expect(await call(before, url)).toBe(200);
      expect(await call(after, url)).toBe(200);
    }
    const next = await renewed(before, quick.url);
    expect(keyOf(next)).toBe(keyOf(after));
    expect(await call(next, slow.url)).toBe(200);
    // A sign-in started under the old cookie key finishes on a node with the new one.
    const path = `/interaction/${started.uid}/password`;
    const finished = await fetch(`${quick.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: started.jar.sent(path) },
      body: JSON.stringify({ username: 'doctor@prov.example', password }),
    });
    const { redirectTo } = await finished.json();
    const code = (await comeBack(quick.url, started.jar, redirectTo)).get('code') ?? '';
    expect((await exchange(slow.url, code, started)).status).toBe(200);
  });

  it('distrusts older keys on request, and sessions continue by renewal', async () => {
    const one = await node(0.05);
    const before = await doctor(one.url);
    await rotate({ distrust: true });
    await expect.poll(() => published(one.url)).not.toContain(keyOf(before));
    expect(await call(before, one.url)).toBe(401);
    expect(await call(await renewed(before, one.url), one.url)).toBe(200);
  });
});

describe('an aged key', () => {
  const days = 86_400_000;

  it('is followed by one published before it signs, and is kept until its tokens have expired', async () => {
    const start = Date.now();
    let one = await node(0.05);
    const first = keyOf(await doctor(one.url));
    at(start + 90 * days - publishedAheadMs - 60_000);
    expect(await published(one.url)).toEqual([first]);

    at(start + 90 * days - publishedAheadMs + 60_000);
    await expect.poll(() => published(one.url)).toHaveLength(2);
    let tokens = await doctor(one.url);
    expect(keyOf(tokens)).toBe(first);
    const [, second = ''] = await published(one.url);

    at(start + 90 * days + 60_000);
    // The server notices within its next check of the keys.
    const signingKey = async () => {
      tokens = await renewed(tokens, one.url);
      return keyOf(tokens);
    };
    await expect.poll(signingKey).toBe(second);
    expect(await published(one.url)).toEqual([second, first]);
    // Signed by the old key at the last moment.
    const late = await signedBy((await openKeys(database.db, vaultUnderTest())).current().tokens[1] ?? {}, tokens);
    expect(await call({ ...tokens, access_token: late }, one.url)).toBe(200);

    await one.close();
    living.splice(0);
    one = await node(0.05);
    expect(await call(tokens, one.url)).toBe(200);
    at(start + 90 * days + 2 * publishedAheadMs);
    await expect.poll(() => published(one.url)).toEqual([second]);
    expect(await call(await renewed(tokens, one.url), one.url)).toBe(200);
  });

  it('is followed by exactly one, with any number of nodes', async () => {
    await openKeys(database.db, vaultUnderTest());
    at(Date.now() + 90 * days);
    await Promise.all(Array.from({ length: 6 }, () => rotateByAge(database.db, vaultUnderTest(), 90)));
    expect((await openKeys(database.db, vaultUnderTest())).current().tokens).toHaveLength(2);
  });
});

describe('one session', () => {
  it('survives key rotations, restarts, node changes, lost replies and hours', async () => {
    const start = Date.now();
    let [one, other] = [await node(0.05), await node()];
    let tokens = await doctor(one.url);
    for (let run = 1; run <= 6; run += 1) {
      at(start + run * 7_200_000);
      await rotate();
      const attempt = randomUUID();
      const lost = await renewed(tokens, one.url, attempt);
      await one.close();
      living.splice(living.indexOf(one), 1);
      one = await node(run % 2 ? 0.05 : 3600);
      tokens = await renewed(tokens, other.url, attempt);
      expect(tokens.refresh_token).toBe(lost.refresh_token);
      for (const { url } of [one, other]) expect(await call(tokens, url)).toBe(200);
      [one, other] = [other, one];
    }
  });
});

describe('a restart', () => {
  it('keeps all sessions', async () => {
    const before = await node();
    const tokens = await doctor(before.url);
    await before.close();
    living.splice(0);
    const after = await node();
    expect(await call(tokens, after.url)).toBe(200);
    expect(await call(await renewed(tokens, after.url), after.url)).toBe(200);
  });

  it('with a newer version keeps the key of an installation without rotation', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(privateKey);
    const kid = await calculateJwkThumbprint(jwk);
    const rows = [
      { name: 'token-signing-key', value: JSON.stringify({ ...jwk, kid }) },
      { name: 'cookie-key', value: 'of-before' },
    ];
    await database.db.insertInto('secret').values(rows).execute();
    const ring = (await openKeys(database.db, vaultUnderTest())).current();
    expect(ring.tokens.map((key) => key.kid)).toEqual([kid]);
    expect(ring.cookies).toEqual(['of-before']);
  });
});
