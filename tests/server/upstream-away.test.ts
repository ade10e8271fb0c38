import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDiscovery } from '../../server/identity/upstream/discovery.ts';
import { begin } from './flow.ts';
import { startOpenId } from './openid-process.ts';
import { comeHome, leave, maja, signInElsewhere, signInThere } from './upstream-flow.ts';
import { type UpstreamUnderTest, upstreamUnderTest } from './upstream-under-test.ts';

let test: UpstreamUnderTest;

beforeAll(async () => {
  test = await upstreamUnderTest();
});
beforeEach(() => test.giveMaja());
afterEach(() => test.elsewhere.behave());
afterAll(() => test?.close());

const person = { person: maja.id, strong: true };
const problemOf = (address: string) => new URL(address).searchParams.get('problem');

describe('a provider that is away', () => {
  it('is told on leaving', async () => {
    await test.elsewhere.misbehave('siths', { down: true });
    expect(problemOf((await leave(test.url(), 'siths')).there)).toBe('method-away');
  });

  it('is told on coming back, and the next try goes well', async () => {
    const { begun, there } = await leave(test.url(), 'aad');
    const callback = await signInThere(begun.jar, there, person);
    await test.elsewhere.misbehave('aad', { down: true });
    expect(problemOf((await comeHome(begun.jar, callback)).at(-1) ?? '')).toBe('method-away');
    await test.elsewhere.behave();
    expect((await signInElsewhere(test.url(), 'aad', person)).end.get('code')).toBeTruthy();
  });

  it('is not waited for longer than a few seconds', async () => {
    const { begun, there } = await leave(test.url(), 'openid');
    const callback = await signInThere(begun.jar, there, person);
    await test.elsewhere.misbehave('openid', { slowMilliseconds: 60_000 });
    const before = performance.now();
    expect(problemOf((await comeHome(begun.jar, callback)).at(-1) ?? '')).toBe('method-away');
    expect(performance.now() - before).toBeLessThan(15_000);
  });

  it('leads somebody back to the choice, when the choice was ours', async () => {
    await test.elsewhere.misbehave('siths', { down: true });
    const own = await begin(test.url(), 'http://localhost/auth/callback');
    const reply = await own.jar.fetch(`${test.url()}/interaction/${own.uid}/upstream/siths`);
    expect(reply.headers.get('location')).toBe(`/authorization?interaction=${own.uid}&problem=method-away`);
  });
});

describe('what a provider says of itself', () => {
  it('is no answer under another name', async () => {
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

  it('is asked once by many, remembered, renewed, and kept for a day when nobody answers', async () => {
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
