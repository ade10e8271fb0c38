import { expect, it } from 'vitest';
import { type Failure, ServiceError } from '../../src/services/failure.ts';
import { retryUntilAnswered } from '../../src/services/retry.ts';
import { offline, refused } from '../paths.ts';

/** Runs work that fails this often, with two delays of no length. */
const run = async (failure: Failure, times: number) => {
  const reported: (string | null)[] = [];
  let left = times;
  const ended = await retryUntilAnswered(
    async () => {
      left -= 1;
      if (left >= 0) throw new ServiceError(failure);
      return 'done';
    },
    {
      signal: new AbortController().signal,
      network: { onOnline: () => () => undefined },
      delaysMs: [0, 0],
      onNoAnswer: (reason) => reported.push(reason),
      onAnswer: () => reported.push(null),
    },
  ).catch((error: unknown) => error);
  return { ended, reported };
};

it.each([
  ['a lost connection', offline, 'connection'],
  ['a database outage', { ...refused('database-unavailable'), status: 503 }, 'connection'],
  ['a files folder that is not there', { ...refused('storage-unavailable'), status: 503 }, 'connection'],
  ['a restart behind a proxy', { ...refused('internal'), status: 502 }, 'connection'],
  ['a full disk', { ...refused('storage-full'), status: 507 }, 'disk-space'],
] as const)('waits for the end of %s without limit, and reports the reason', async (_, failure, reason) => {
  expect(await run(failure as Failure, 9)).toEqual({ ended: 'done', reported: [...Array(9).fill(reason), null] });
});

it('repeats after another server error as often as there are delays, then throws', async () => {
  const failure = { ...refused('internal'), status: 500 } as Failure;
  expect(await run(failure, 2)).toMatchObject({ ended: 'done' });
  expect(await run(failure, 3)).toMatchObject({ ended: { failure } });
});
