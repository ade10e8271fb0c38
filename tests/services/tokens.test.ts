import { afterEach, expect, it } from 'vitest';
import { openid } from '../../contract/sign-in.ts';
import { failureOf, isArchiveUnavailable, isWorthRetrying } from '../../src/services/failure.ts';
import { renewalAttempts } from '../../src/services/renewal-attempt.ts';
import { hasStoredTokens } from '../../src/services/token-storage-key.ts';
import { claimsOf } from '../../src/services/tokens.ts';
import {
  accountId,
  bodyOf,
  listening,
  memoryStore,
  otherAccountId,
  tokenGiver,
  tokenOf,
  tokensIn,
} from './archive-double.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const identity = async () => {
  const giver = tokenGiver();
  const revoked: (string | null)[] = [];
  /** Replies of the token endpoint, each set by a test. */
  const answering = { loses: () => false, before: async () => {}, hasDatabase: true };
  const archive = await listening(async (request, response) => {
    const form = new URLSearchParams(await bodyOf(request));
    if (request.url === openid.revocationPath) {
      revoked.push(form.get('token'));
      return response.end();
    }
    const away = { error: 'temporarily_unavailable', error_description: 'database-unavailable' };
    const { status, body } = answering.hasDatabase ? giver.give(form) : { status: 503, body: away };
    await answering.before();
    if (answering.loses()) return response.destroy();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  closers.push(archive.close);
  return { ...archive, giver, revoked, answering };
};

it('renews once for two tabs, and both continue with the same token', async () => {
  const { origin, giver } = await identity();
  const store = memoryStore();
  const [one, other] = [tokensIn(origin, store), tokensIn(origin, store)];
  const { access_token: stale } = await one.grant('a@example.test', 'right');
  const renewed = await Promise.all([one.renew(stale), other.renew(stale), one.renew(stale)]);
  expect(new Set(renewed.map(({ access_token }) => access_token)).size).toBe(1);
  expect(giver.renewals()).toBe(1);
  expect(other.current()?.access_token).toBe(renewed[0]?.access_token);
});

it('continues to renew after a renewal failed', async () => {
  const { origin, giver } = await identity();
  const store = memoryStore();
  const gone = tokensIn('http://127.0.0.1:9', store);
  const tokens = tokensIn(origin, store);
  const held = await tokens.grant('a@example.test', 'right');
  store.setItem(gone.storageKey, JSON.stringify(held));
  expect(await gone.renew(held.access_token).catch(failureOf)).toEqual({ kind: 'offline' });
  expect(gone.current()).toEqual(held);
  await tokens.renew(held.access_token);
  expect(giver.renewals()).toBe(1);
});

it('stays signed in while the archive has no database, and renews when it is back', async () => {
  const { origin, giver, revoked, answering } = await identity();
  const tokens = tokensIn(origin, memoryStore());
  const held = await tokens.grant('a@example.test', 'right');
  answering.hasDatabase = false;
  const failure = await tokens.renew(held.access_token).then(() => null, failureOf);
  expect([failure, isArchiveUnavailable(failure)]).toMatchObject([
    { kind: 'refused', code: 'database-unavailable' },
    true,
  ]);
  const atSignIn = await tokens.grant('a@example.test', 'right').then(() => null, failureOf);
  expect(atSignIn).toMatchObject({ status: 503, code: 'database-unavailable' });
  expect([tokens.current(), revoked]).toEqual([held, []]);
  answering.hasDatabase = true;
  await tokens.renew(held.access_token);
  expect(giver.renewals()).toBe(1);
});

it('repeats a renewal whose reply was lost with the same secret, in another tab too, and stays signed in', async () => {
  const { origin, giver, answering } = await identity();
  const store = memoryStore();
  const { access_token: stale } = await tokensIn(origin, store).grant('a@example.test', 'right');
  let lost = 2;
  answering.loses = () => lost-- > 0;
  // The first page is killed after its attempt; the next one knows nothing but the store.
  for (const _ of [1, 2])
    expect(await tokensIn(origin, store).renew(stale).catch(failureOf)).toEqual({ kind: 'offline' });
  const renewed = await tokensIn(origin, store).renew(stale);
  const [first, second, third] = giver.attempts();
  expect(first).toMatch(/^[\w-]{43}$/);
  expect([second, third]).toEqual([first, first]);
  expect(giver.renewals()).toBe(1);
  // The next renewal is another attempt.
  await tokensIn(origin, store).renew(renewed.access_token);
  expect(giver.attempts()[3]).not.toBe(first);
});

it('has the same secret in two tabs whose browser has no locks', () => {
  const store = memoryStore();
  const [one, other] = [renewalAttempts(store, 'a'), renewalAttempts(store, 'a')];
  const secret = one.of('refresh-1');
  expect(other.of('refresh-1')).toBe(secret);
  expect(other.of('refresh-2')).not.toBe(secret);
  one.forget();
  expect(one.of('refresh-1')).not.toBe(secret);
});

it('does not sign in again by a reply that arrives after sign-out', async () => {
  const { origin, answering } = await identity();
  const store = memoryStore();
  const [one, other] = [tokensIn(origin, store), tokensIn(origin, store)];
  const held = await one.grant('a@example.test', 'right');
  answering.before = () => other.revoke();
  expect(await one.renew(held.access_token).catch(failureOf)).toMatchObject({ kind: 'refused', code: 'not-signed-in' });
  expect(one.current()).toBeNull();
});

it('treats foreign tokens stored by another tab as signed out, and leaves them alone', async () => {
  const { origin, revoked } = await identity();
  const store = memoryStore();
  const tokens = tokensIn(origin, store);
  const held = await tokens.grant('a@example.test', 'right');
  tokens.bindTo(accountId);
  expect(tokens.current()).toEqual(held);
  const theirs = JSON.stringify({ ...held, access_token: tokenOf(otherAccountId, 1) });
  store.setItem(tokens.storageKey, theirs);
  expect(tokens.current()).toBeNull();
  expect(await tokens.renew(held.access_token).catch(failureOf)).toMatchObject({ code: 'not-signed-in' });
  await tokens.revoke();
  expect(store.getItem(tokens.storageKey)).toBe(theirs);
  expect(revoked).toEqual([]);
  tokens.bindTo(null);
  expect(tokens.current()?.access_token).toBe(tokenOf(otherAccountId, 1));
});

it('stays signed in when the archive replies to a renewal with a server error, or another server replies', async () => {
  for (const [status, type, body] of [
    [500, 'application/json', '{"error":"server_error"}'],
    [429, 'application/json', '{"code":"too-many-requests"}'],
    [502, 'text/html', '<h1>Bad gateway</h1>'],
    [200, 'text/html', 'Sign in to the network of this hotel'],
    [200, 'application/json', '{"access_tok'],
  ] as const) {
    const archive = await listening((_, response) => response.writeHead(status, { 'content-type': type }).end(body));
    closers.push(archive.close);
    const store = memoryStore();
    const tokens = tokensIn(archive.origin, store);
    const stored = { access_token: 'a', refresh_token: 'r', token_type: 'Bearer', expires_at: 1 };
    store.setItem(tokens.storageKey, JSON.stringify(stored));
    const failure = await tokens.renew('a').then(() => null, failureOf);
    expect(isWorthRetrying(failure), body).toBe(true);
    expect(tokens.current(), body).toEqual(stored);
  }
});

it('returns the code of a wrong password and stores nothing', async () => {
  const { origin } = await identity();
  const tokens = tokensIn(origin, memoryStore());
  expect(await tokens.grant('a@example.test', 'wrong').catch(failureOf)).toMatchObject({
    kind: 'refused',
    code: 'incorrect-login',
  });
  expect(tokens.current()).toBeNull();
});

it('deletes the tokens and has the archive revoke them', async () => {
  const { origin, revoked } = await identity();
  const tokens = tokensIn(origin, memoryStore());
  const held = await tokens.grant('a@example.test', 'right');
  await tokens.revoke();
  expect(tokens.current()).toBeNull();
  expect(revoked).toEqual([held.refresh_token]);
  expect(await tokens.renew(held.access_token).catch(failureOf)).toMatchObject({ code: 'not-signed-in' });
});

it('treats a token as valid until ten seconds before it expires', async () => {
  const { origin } = await identity();
  let now = 1_000_000;
  const tokens = tokensIn(origin, memoryStore(), () => now);
  const held = await tokens.grant('a@example.test', 'right');
  expect(tokens.goodForMs(held)).toBe(290_000);
  now += 295_000;
  expect(tokens.goodForMs(held)).toBe(0);
});

it('reads a store with other contents as signed out', () => {
  const store = memoryStore();
  const tokens = tokensIn('http://127.0.0.1:9', store);
  for (const text of ['', 'null', '{', '{"access_token":1}', '[]']) {
    store.setItem(tokens.storageKey, text);
    expect(tokens.current()).toBeNull();
  }
});

it('reads the claims of a token in any alphabet, and rejects what is no token', () => {
  const claims = { sub: '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02', exp: 1, permission: ['role.get'], role: ['Läkare'] };
  const payload = Buffer.from(JSON.stringify({ ...claims, customer_id: null })).toString('base64url');
  expect(claimsOf(`e30.${payload}.signature`).role).toEqual(['Läkare']);
  for (const token of ['', 'a.b.c', 'e30.e30.x']) expect(() => claimsOf(token)).toThrow('drift');
});

it('detects tokens of an archive by the names in a store alone', () => {
  const { storageKey } = tokensIn('https://archive.example', memoryStore());
  const store = { 'dentarium.preferences': '{}', [storageKey]: 'x' } as unknown as Storage;
  expect(hasStoredTokens('https://archive.example', store)).toBe(true);
  expect(hasStoredTokens('https://archive.example:8443', store)).toBe(false);
  expect(hasStoredTokens('https://archive.example', { renewal: 'x' } as unknown as Storage)).toBe(false);
});
