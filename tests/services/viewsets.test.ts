import { QueryClient } from '@tanstack/query-core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { displaySave, plainDisplay } from '../../contract/displays.ts';
import { viewsetMount, viewsetMove } from '../../contract/viewsets.ts';
import type { Call } from '../../src/services/call.ts';
import { createDisplays } from '../../src/services/displays.ts';
import { type Failure, ServiceError } from '../../src/services/failure.ts';
import { createNewsInvalidation } from '../../src/services/news-invalidation.ts';
import { createQueries } from '../../src/services/queries.ts';
import { createViewsets } from '../../src/services/viewsets.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const conflict: Failure = { kind: 'refused', status: 409, code: 'conflict', errors: [] };
const viewset = (version: number, viewSetUuid = 'v1') => ({ viewSetUuid, patientId: 'one', version });

/** The archive answers with what `answer` gives. */
const room = (answer: () => unknown) => {
  const asked: { readonly route: unknown; readonly options: Parameters<Call>[1] }[] = [];
  const call = (async (route: unknown, options: Parameters<Call>[1]) => {
    asked.push({ route, options });
    return answer();
  }) as unknown as Call;
  const client = new QueryClient();
  const queries = createQueries(call, client, () => Promise.reject(new Error('nothing is written here')));
  const news = createNewsInvalidation(client);
  client.setQueryData(['studies', 'one'], {});
  const isOld = (key: readonly string[]) => {
    vi.advanceTimersByTime(400);
    return client.getQueryState(key)?.isInvalidated;
  };
  const viewsets = createViewsets({ call, client, queries, news });
  return { asked, client, news, viewsets, displays: createDisplays(call, news), isOld };
};

const hanging = { viewsetUid: 'v1', itemIndex: 2, imageUid: 'image', version: 4 };
const alive = () => new AbortController().signal;

it('keeps the reply to a change for the whole page, and counts the studies of the patient as old', async () => {
  const { asked, client, viewsets, isOld } = room(() => viewset(5));
  await viewsets.mount(hanging, alive());
  expect(asked).toEqual([{ route: viewsetMount, options: { body: hanging } }]);
  expect(client.getQueryData(['viewset', 'v1'])).toEqual(viewset(5));
  expect(isOld(['studies', 'one'])).toBe(true);
});

it('keeps both viewsets that a move has changed', async () => {
  const { asked, client, viewsets } = room(() => [viewset(5), viewset(8, 'v2')]);
  const slots = { viewsetUidFrom: 'v1', viewsetUidTo: 'v2', itemIndexFrom: 1, itemIndexTo: 3 };
  await viewsets.move({ ...slots, imageUid: 'image', version: 4 }, alive());
  expect(asked[0]?.route).toBe(viewsetMove);
  expect([client.getQueryData(['viewset', 'v1']), client.getQueryData(['viewset', 'v2'])]).toEqual([
    viewset(5),
    viewset(8, 'v2'),
  ]);
});

it('sends a change to its end although nobody waits for it any more, and keeps nothing of it after the session', async () => {
  const leaving = new AbortController();
  const { asked, client, viewsets } = room(() => {
    leaving.abort();
    return viewset(5);
  });
  await viewsets.mount(hanging, leaving.signal);
  expect(asked[0]?.options?.signal).toBeUndefined();
  expect(client.getQueryData(['viewset', 'v1'])).toBeUndefined();
});

it('tells each time that somebody makes the kept viewset old, also while it is fetched', async () => {
  const reply = Promise.withResolvers<unknown>();
  const { client, viewsets } = room(() => reply.promise);
  client.setQueryData(['viewset', 'v1'], viewset(4));
  let told = 0;
  const stop = viewsets.watch('v1', () => {
    told += 1;
  });
  await client.invalidateQueries({ queryKey: ['viewset', 'v2'] });
  expect(told).toBe(0);
  await client.invalidateQueries({ queryKey: ['viewset'] });
  expect(told).toBe(1);
  const opening = viewsets.open('v1', alive());
  await client.invalidateQueries({ queryKey: ['viewset', 'v1'] });
  expect(told).toBe(2);
  reply.resolve(viewset(5));
  await opening;
  stop();
  await client.invalidateQueries({ queryKey: ['viewset', 'v1'] });
  expect(told).toBe(2);
});

it('says which version a display has now, or why it was not kept; after a conflict the truth is to be fetched', async () => {
  const body = { viewsetUid: 'v1', imageUid: 'image', display: plainDisplay, version: 3 };
  const good = room(() => ({ displayVersion: 4 }));
  expect(await good.displays.saveDisplay(body)).toEqual({ version: 4 });
  expect(good.asked).toEqual([{ route: displaySave, options: { body, keepalive: true } }]);
  const bad = room(() => {
    throw new ServiceError(conflict);
  });
  bad.client.setQueryData(['viewset', 'v1'], viewset(4));
  expect(await bad.displays.saveDisplay(body)).toEqual({ failure: conflict });
  expect(bad.isOld(['viewset', 'v1'])).toBe(true);
  expect(bad.isOld(['studies', 'one'])).toBe(true);
});
