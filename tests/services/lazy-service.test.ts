import { describe, expect, it } from 'vitest';
import { lazyService } from '../../src/services/lazy-service.ts';

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: { failure: unknown }) => error.failure,
  );
const messages = {
  Chromium: 'Failed to fetch dynamically imported module: https://archive.example/assets/writes-CGDri80x.js',
  Firefox: 'error loading dynamically imported module: https://archive.example/assets/writes-CGDri80x.js',
};

describe('a service whose module is loaded at the first call', () => {
  it('is created once', async () => {
    let created = 0;
    const service = lazyService(
      async () => ({ name: 'writes' }),
      ({ name }) => `${name} ${++created}`,
    );
    expect(await Promise.all([service(), service()])).toEqual(['writes 1', 'writes 1']);
  });

  it.each(Object.entries(messages))('is loaded from another address after each failure: %s', async (_, message) => {
    const tried: string[] = [];
    let isDown = true;
    const service = lazyService(
      // The browser keeps the failed module.
      () => Promise.reject(new TypeError(message)),
      (name: string) => name,
      async (address) => {
        tried.push(address);
        if (isDown) throw new TypeError(message);
        return 'writes';
      },
    );
    expect(await failureOf(service())).toEqual({ kind: 'offline' });
    expect(await failureOf(service())).toEqual({ kind: 'offline' });
    isDown = false;
    expect(await service()).toBe('writes');
    expect(tried).toEqual(
      [1, 2].map((number) => `https://archive.example/assets/writes-CGDri80x.js?attempt=${number}`),
    );
  });

  it('is loaded as before when the browser does not name the address', async () => {
    let isDown = true;
    const service = lazyService(
      () => (isDown ? Promise.reject(new TypeError('Importing a module script failed.')) : Promise.resolve('writes')),
      (name) => name,
      () => Promise.reject(new Error('not called')),
    );
    expect(await failureOf(service())).toEqual({ kind: 'offline' });
    isDown = false;
    expect(await service()).toBe('writes');
  });
});
