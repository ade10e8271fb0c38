import type { RequestListener } from 'node:http';
import { QueryObserver } from '@tanstack/query-core';
import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { route } from '../../contract/route.ts';
import { createCall } from '../../src/services/call.ts';
import { archiveIsReady, createDatabaseOutage } from '../../src/services/database-outage.ts';
import { failureOf, isArchiveUnavailable, isDatabaseUnavailable } from '../../src/services/failure.ts';
import { createQueryClient } from '../../src/services/queries.ts';
import { retryUntilAnswered } from '../../src/services/retry.ts';
import { listening, memoryStore, tokensIn } from './archive-double.ts';

const colour = route({
  method: 'GET',
  path: '/api/colour',
  access: 'anyone',
  reply: z.object({ name: z.string() }),
});

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** An archive whose database can become unavailable, and a browser that calls it. */
const archiveWithDatabase = async (retryAfter = '0.05') => {
  const requests: string[] = [];
  let isThere = true;
  const reply: RequestListener = (request, response) => {
    requests.push(request.url ?? '');
    if (isThere) return response.end(JSON.stringify({ name: 'blå', status: 'ok' }));
    const head = { 'content-type': 'application/json', 'retry-after': retryAfter };
    return response.writeHead(503, head).end(JSON.stringify({ code: 'database-unavailable' }));
  };
  const archive = await listening(reply);
  closers.push(archive.close);
  const outage = createDatabaseOutage(archiveIsReady(archive.origin));
  const call = createCall({
    origin: archive.origin,
    tokens: tokensIn(archive.origin, memoryStore()),
    language: () => 'sv',
    onTokenRefused: () => undefined,
    onDatabaseUnavailable: outage.reportUnavailable,
  });
  const events: string[] = [];
  outage.listen({ onUnavailable: () => events.push('away'), onAvailable: () => events.push('back') });
  const be = (there: boolean) => {
    isThere = there;
  };
  return { requests, call, be, outage, events };
};

it('is detected by the first call that fails, and checked as often as Retry-After says until it is over', async () => {
  const { requests, call, be, events, outage } = await archiveWithDatabase();
  be(false);
  const failures = await Promise.all([1, 2].map(() => call(colour).then(() => null, failureOf)));
  expect(failures.map((failure) => [isDatabaseUnavailable(failure), isArchiveUnavailable(failure)])).toEqual(
    Array(2).fill([true, true]),
  );
  expect(failures[0]).toMatchObject({ status: 503, retryAfterMs: 50 });
  expect(events).toEqual(['away']);
  const late: string[] = [];
  outage.listen({ onUnavailable: () => late.push('away'), onAvailable: () => late.push('back') });
  expect(late).toEqual(['away']);
  await vi.waitFor(() => expect(requests.filter((url) => url === '/health/ready').length).toBeGreaterThan(2));
  be(true);
  await vi.waitFor(() =>
    expect([events, late]).toEqual([
      ['away', 'back'],
      ['away', 'back'],
    ]),
  );
  const before = requests.length;
  await call(colour);
  expect(requests.slice(before)).toEqual(['/api/colour']);
});

it('waits at least as long as Retry-After says', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const isReady = vi.fn(async () => false);
    createDatabaseOutage(isReady).reportUnavailable(7_000);
    await vi.advanceTimersByTimeAsync(6_999);
    expect(isReady).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(7_001);
    expect(isReady).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

it('ends for queries as well: a failed page fetches again automatically', async () => {
  const { call, be, outage } = await archiveWithDatabase();
  const client = createQueryClient();
  outage.listen({ onUnavailable: () => undefined, onAvailable: () => void client.invalidateQueries() });
  be(false);
  const observer = new QueryObserver(client, { queryKey: ['colour'], queryFn: () => call(colour), retry: false });
  const leave = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().isError).toBe(true));
  be(true);
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toEqual({ name: 'blå' }));
  leave();
});

it('delays an upload, however long it lasts', async () => {
  const { call, be } = await archiveWithDatabase();
  be(false);
  let tries = 0;
  const waits: boolean[] = [];
  const work = () => {
    tries += 1;
    if (tries === 12) be(true);
    return call(colour);
  };
  const done = await retryUntilAnswered(work, {
    signal: new AbortController().signal,
    network: { onOnline: () => () => undefined },
    delaysMs: [1],
    onNoAnswer: () => waits.push(true),
    onAnswer: () => waits.push(false),
  });
  expect(done).toEqual({ name: 'blå' });
  expect(waits).toEqual([...Array(11).fill(true), false]);
});
