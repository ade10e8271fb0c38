import { QueryClient } from '@tanstack/query-core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { displaySave, plainDisplay } from '../../contract/displays.ts';
import { viewsetMount, viewsetMove } from '../../contract/viewsets.ts';
import type { Call } from '../../src/services/call.ts';
import { createDisplays } from '../../src/services/displays.ts';
import { type Failure, ServiceError } from '../../src/services/failure.ts';
import { createPatientCache } from '../../src/services/patient-cache.ts';
import { createQueries } from '../../src/services/queries.ts';
import { createQueryInvalidation } from '../../src/services/query-invalidation.ts';
import { createViewsets } from '../../src/services/viewsets.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const conflict: Failure = { kind: 'refused', status: 409, code: 'conflict', errors: [] };
const viewset = (version: number, viewSetUuid = 'v1') => ({ viewSetUuid, patientId: 'one', version });

/** The archive replies with what `answer` returns. */
const viewsetServices = (reply: () => unknown) => {
  const requests: { readonly route: unknown; readonly options: Parameters<Call>[1] }[] = [];
  const call = (async (route: unknown, options: Parameters<Call>[1]) => {
    requests.push({ route, options });
    return reply();
  }) as unknown as Call;
  const client = new QueryClient();
  const queries = createQueries(call, client, () => Promise.reject(new Error('nothing is written here')));
  const changeEvents = createQueryInvalidation(client);
  client.setQueryData(['studies', 'one'], {});
  const isOld = (key: readonly string[]) => {
    vi.advanceTimersByTime(400);
    return client.getQueryState(key)?.isInvalidated;
  };
  const patientCache = createPatientCache(client);
  patientCache.setAnnounced(true);
  const viewsets = createViewsets({ call, client, queries, invalidation: changeEvents, patientCache });
  return { requests, client, changeEvents, viewsets, displays: createDisplays(call, changeEvents), isOld };
};

const mounting = { viewsetUid: 'v1', itemIndex: 2, imageUid: 'image', version: 4 };
const alive = () => new AbortController().signal;

it('stores the reply to a change for the whole page, and invalidates the studies of the patient', async () => {
  const { requests, client, viewsets, isOld } = viewsetServices(() => viewset(5));
  await viewsets.mount(mounting, alive());
  expect(requests).toEqual([{ route: viewsetMount, options: { body: mounting } }]);
  expect(client.getQueryData(['viewset', 'v1'])).toEqual(viewset(5));
  expect(isOld(['studies', 'one'])).toBe(true);
});

it('stores both viewsets that a move has changed', async () => {
  const { requests, client, viewsets } = viewsetServices(() => [viewset(5), viewset(8, 'v2')]);
  const slots = { viewsetUidFrom: 'v1', viewsetUidTo: 'v2', itemIndexFrom: 1, itemIndexTo: 3 };
  await viewsets.move({ ...slots, imageUid: 'image', version: 4 }, alive());
  expect(requests[0]?.route).toBe(viewsetMove);
  expect([client.getQueryData(['viewset', 'v1']), client.getQueryData(['viewset', 'v2'])]).toEqual([
    viewset(5),
    viewset(8, 'v2'),
  ]);
});

it('completes a change although no caller waits for it any more, and stores nothing of it after the session', async () => {
  const leaving = new AbortController();
  const { requests, client, viewsets } = viewsetServices(() => {
    leaving.abort();
    return viewset(5);
  });
  await viewsets.mount(mounting, leaving.signal);
  expect(requests[0]?.options?.signal).toBeUndefined();
  expect(client.getQueryData(['viewset', 'v1'])).toBeUndefined();
});

it('notifies each time that the stored viewset becomes outdated, also while it is fetched', async () => {
  const reply = Promise.withResolvers<unknown>();
  const { client, viewsets } = viewsetServices(() => reply.promise);
  client.setQueryData(['viewset', 'v1'], viewset(4));
  let notified = 0;
  const stop = viewsets.watch('v1', () => {
    notified += 1;
  });
  await client.invalidateQueries({ queryKey: ['viewset', 'v2'] });
  expect(notified).toBe(0);
  await client.invalidateQueries({ queryKey: ['viewset'] });
  expect(notified).toBe(1);
  const opening = viewsets.open('v1', alive());
  await client.invalidateQueries({ queryKey: ['viewset', 'v1'] });
  expect(notified).toBe(2);
  reply.resolve(viewset(5));
  await opening;
  stop();
  await client.invalidateQueries({ queryKey: ['viewset', 'v1'] });
  expect(notified).toBe(2);
});

it('reports the version of a saved display, or why it was not saved; after a conflict the viewset is to be fetched', async () => {
  const body = { viewsetUid: 'v1', imageUid: 'image', display: plainDisplay, version: 3 };
  const good = viewsetServices(() => ({ displayVersion: 4 }));
  expect(await good.displays.saveDisplay(body)).toEqual({ version: 4 });
  expect(good.requests).toEqual([{ route: displaySave, options: { body, keepalive: true } }]);
  const bad = viewsetServices(() => {
    throw new ServiceError(conflict);
  });
  bad.client.setQueryData(['viewset', 'v1'], viewset(4));
  expect(await bad.displays.saveDisplay(body)).toEqual({ failure: conflict });
  expect(bad.isOld(['viewset', 'v1'])).toBe(true);
  expect(bad.isOld(['studies', 'one'])).toBe(true);
});
