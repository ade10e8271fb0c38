import { expect, it, vi } from 'vitest';
import { sharedRead } from '../../server/metrics/shared-read.ts';

const ignore = () => undefined;

it('reads once for all who ask at the same time, and uses the result while it is valid', async () => {
  const read = vi.fn(async () => 1);
  const get = sharedRead(read, { validMs: 60_000, timeLimitMs: 1_000 }, ignore);
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(1);
  expect(read).toHaveBeenCalledTimes(1);
});

it('reads again when the result is no longer valid', async () => {
  let count = 0;
  const get = sharedRead(async () => ++count, { validMs: 0, timeLimitMs: 1_000 }, ignore);
  expect([await get(), await get()]).toEqual([1, 2]);
});

it('gives null when a read is late, starts no second one, and gives its result once it is there', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const read = vi.fn(() => promise);
  const get = sharedRead(read, { validMs: 60_000, timeLimitMs: 5 }, ignore);
  expect(await get()).toBeNull();
  expect(await get()).toBeNull();
  expect(read).toHaveBeenCalledTimes(1);
  resolve('late');
  await expect.poll(get).toBe('late');
});

it('gives null after a failure, reports it, and tries again', async () => {
  const failures: unknown[] = [];
  const read = vi.fn().mockRejectedValueOnce(new Error('no')).mockResolvedValue(7);
  const get = sharedRead(read, { validMs: 0, timeLimitMs: 1_000 }, (error) => failures.push(error));
  expect(await get()).toBeNull();
  expect(failures).toEqual([new Error('no')]);
  expect(await get()).toBe(7);
});
