import { afterEach, expect, it } from 'vitest';
import { openid } from '../../contract/sign-in.ts';
import { failureOf } from '../../src/services/failure.ts';
import { claimsOf, createTokens } from '../../src/services/tokens.ts';
import { bodyOf, listening, memoryStore, tokenGiver } from './archive-double.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const identity = async () => {
  const giver = tokenGiver();
  const revoked: (string | null)[] = [];
  const archive = await listening(async (request, response) => {
    const form = new URLSearchParams(await bodyOf(request));
    if (request.url === openid.revocationPath) {
      revoked.push(form.get('token'));
      return response.end();
    }
    const { status, body } = giver.give(form);
    response.writeHead(status).end(JSON.stringify(body));
  });
  closers.push(archive.close);
  return { ...archive, giver, revoked };
};

it('renews once for two tabs, and both go on with the same token', async () => {
  const { origin, giver } = await identity();
  const store = memoryStore();
  const [one, other] = [createTokens({ origin, store }), createTokens({ origin, store })];
  const { access_token: stale } = await one.grant('a@example.test', 'right');
  const renewed = await Promise.all([one.renew(stale), other.renew(stale), one.renew(stale)]);
  expect(new Set(renewed.map(({ access_token }) => access_token)).size).toBe(1);
  expect(giver.renewals()).toBe(1);
  expect(other.current()?.access_token).toBe(renewed[0]?.access_token);
});

it('goes on renewing after a renewal failed', async () => {
  const { origin, giver } = await identity();
  const store = memoryStore();
  const gone = createTokens({ origin: 'http://127.0.0.1:9', store });
  const tokens = createTokens({ origin, store });
  const held = await tokens.grant('a@example.test', 'right');
  store.setItem(gone.storageKey, JSON.stringify(held));
  expect(await gone.renew(held.access_token).catch(failureOf)).toEqual({ kind: 'offline' });
  expect(gone.current()).toEqual(held);
  await tokens.renew(held.access_token);
  expect(giver.renewals()).toBe(1);
});

it('tells a wrong password by its code and stores nothing', async () => {
  const { origin } = await identity();
  const tokens = createTokens({ origin, store: memoryStore() });
  expect(await tokens.grant('a@example.test', 'wrong').catch(failureOf)).toMatchObject({
    kind: 'refused',
    code: 'incorrect-login',
  });
  expect(tokens.current()).toBeNull();
});

it('forgets the tokens and has the archive forget them', async () => {
  const { origin, revoked } = await identity();
  const tokens = createTokens({ origin, store: memoryStore() });
  const held = await tokens.grant('a@example.test', 'right');
  await tokens.revoke();
  expect(tokens.current()).toBeNull();
  expect(revoked).toEqual([held.refresh_token]);
  expect(await tokens.renew(held.access_token).catch(failureOf)).toMatchObject({ code: 'not-signed-in' });
});

it('counts a token as good until ten seconds before its end', async () => {
  const { origin } = await identity();
  let now = 1_000_000;
  const tokens = createTokens({ origin, store: memoryStore(), now: () => now });
  const held = await tokens.grant('a@example.test', 'right');
  expect(tokens.goodForMs(held)).toBe(290_000);
  now += 295_000;
  expect(tokens.goodForMs(held)).toBe(0);
});

it('reads a store that holds something else as nobody', () => {
  const store = memoryStore();
  const tokens = createTokens({ origin: 'http://127.0.0.1:9', store });
  for (const text of ['', 'null', '{', '{"access_token":1}', '[]']) {
    store.setItem(tokens.storageKey, text);
    expect(tokens.current()).toBeNull();
  }
});

it('reads the claims of a token in any alphabet, and refuses what is no token', () => {
  const claims = { sub: '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02', exp: 1, permission: ['role.get'], role: ['Läkare'] };
  const payload = Buffer.from(JSON.stringify({ ...claims, customer_id: null })).toString('base64url');
  expect(claimsOf(`e30.${payload}.signature`).role).toEqual(['Läkare']);
  for (const token of ['', 'a.b.c', 'e30.e30.x']) expect(() => claimsOf(token)).toThrow('drift');
});
