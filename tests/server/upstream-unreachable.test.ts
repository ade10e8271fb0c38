import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDiscovery } from '../../server/identity/upstream/discovery.ts';
import { begin } from './flow.ts';
import { startOpenId } from './openid-process.ts';
import { followCallback, maja, signInAtProvider, signInExternally, startExternalSignIn } from './upstream-flow.ts';
import { type UpstreamUnderTest, upstreamUnderTest } from './upstream-under-test.ts';

let test: UpstreamUnderTest;

beforeAll(async () => {
  test = await upstreamUnderTest();
});
beforeEach(() => test.giveMaja());
afterEach(() => test.elsewhere.behave());
afterAll(() => test?.close());

const answer = { user: maja.id, strong: true };
const problemOf = (address: string) => new URL(address).searchParams.get('problem');

describe('an unreachable provider', () => {
  it('is reported when the sign-in starts', async () => {
    await test.elsewhere.misbehave('siths', { down: true });
    expect(problemOf((await startExternalSignIn(test.url(), 'siths')).there)).toBe('method-away');
  });

  it('is reported at the callback, and the next attempt succeeds', async () => {
    const { started, there } = await startExternalSignIn(test.url(), 'aad');
    const callback = await signInAtProvider(started.jar, there, answer);
    await test.elsewhere.misbehave('aad', { down: true });
    expect(problemOf((await followCallback(started.jar, callback)).at(-1) ?? '')).toBe('method-away');
    await test.elsewhere.behave();
    expect((await signInExternally(test.url(), 'aad', answer)).end.get('code')).toBeTruthy();
  });

  it('times out after a few seconds', async () => {
    const { started, there } = await startExternalSignIn(test.url(), 'openid');
    const callback = await signInAtProvider(started.jar, there, answer);
    await test.elsewhere.misbehave('openid', { slowMilliseconds: 60_000 });
    const before = performance.now();
    expect(problemOf((await followCallback(started.jar, callback)).at(-1) ?? '')).toBe('method-away');
    expect(performance.now() - before).toBeLessThan(15_000);
  });

  it('leads back to the choice of methods if the user came from there', async () => {
    await test.elsewhere.misbehave('siths', { down: true });
    const own = await begin(test.url(), 'http://localhost/auth/callback');
    const reply = await own.jar.fetch(`${test.url()}/interaction/${own.uid}/upstream/siths`);
    expect(reply.headers.get('location')).toBe(`/authorization?interaction=${own.uid}&problem=method-away`);
  });
});

describe('the metadata of a provider', () => {
  it('is rejected with another issuer', async () => {
    const fresh = await startOpenId();
    try {
      await fresh.misbehave('siths', { issuer: 'https://login.example' });
      const discovery = openDiscovery();
      await expect(discovery.metadataOf(`${fresh.url}/siths`)).rejects.toThrow();
      await fresh.behave();
      expect((await discovery.metadataOf(`${fresh.url}/siths`)).issuer).toBe(`${fresh.url}/siths`);
    } finally {
      await fresh.close();
    }
  });

  it('is fetched once for concurrent requests, cached, refreshed, and used for a day while the provider is unreachable', async () => {
    const fresh = await startOpenId();
    const issuer = `${fresh.url}/openid`;
    let now = Date.now();
    const discovery = openDiscovery(() => now);
    const [first, second] = await Promise.all([discovery.metadataOf(issuer), discovery.metadataOf(issuer)]);
    expect(second).toBe(first);
    expect(await discovery.metadataOf(issuer)).toBe(first);
    now += 11 * 60_000;
    const renewed = await discovery.metadataOf(issuer);
    expect(renewed).not.toBe(first);
    await fresh.close();
    now += 11 * 60_000;
    expect(await discovery.metadataOf(issuer)).toBe(renewed);
    now += 25 * 3_600_000;
    await expect(discovery.metadataOf(issuer)).rejects.toThrow();
  });
});
