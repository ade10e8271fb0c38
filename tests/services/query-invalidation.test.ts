import { QueryClient } from '@tanstack/query-core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPreferences } from '../../src/services/preferences.ts';
import { createQueryInvalidation, refetchInOtherLanguage } from '../../src/services/query-invalidation.ts';
import { memoryStore } from './archive-double.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const queryKeys = {
  studiesOne: ['studies', 'one', { page: 1 }],
  studiesTwo: ['studies', 'two', { page: 1 }],
  patientOne: ['patient', 'one'],
  patients: ['patients', { q: '' }],
  viewsetOne: ['viewset', 'v1'],
  viewsetTwo: ['viewset', 'v2'],
  statesOne: ['presentation-states', 'one', 'image'],
} as const;

const cacheWithEvents = () => {
  const client = new QueryClient();
  for (const key of Object.values(queryKeys)) client.setQueryData(key, {});
  client.setQueryData(queryKeys.viewsetOne, { patientId: 'one', version: 5 });
  client.setQueryData(queryKeys.viewsetTwo, { patientId: 'two', version: 5 });
  const invalidation = createQueryInvalidation(client);
  const invalidated = () => {
    vi.advanceTimersByTime(400);
    const names = Object.entries(queryKeys);
    return names.filter(([, key]) => client.getQueryState(key)?.isInvalidated).map(([name]) => name);
  };
  return { client, invalidation, invalidated };
};

it('invalidates a viewset and its studies when another user changed its mounts', () => {
  const { invalidation, invalidated } = cacheWithEvents();
  invalidation.onHubEvent({ name: 'ViewsetChanged', body: { patientId: 'one', viewsetId: 'v1', version: 6 } });
  expect(invalidated()).toEqual(['studiesOne', 'viewsetOne']);
});

it('does not invalidate a viewset whose reply is as new as the event of an own change', () => {
  const { invalidation, invalidated } = cacheWithEvents();
  invalidation.onHubEvent({ name: 'ViewsetChanged', body: { patientId: 'one', viewsetId: 'v1', version: 5 } });
  expect(invalidated()).toEqual(['studiesOne']);
});

it('invalidates a viewset of the same version when the display of its images changed', () => {
  const { invalidation, invalidated } = cacheWithEvents();
  const body = { patientId: 'one', viewsetId: 'v1', version: 5, imagesChanged: true } as const;
  invalidation.onHubEvent({ name: 'ViewsetChanged', body });
  expect(invalidated()).toEqual(['studiesOne', 'viewsetOne']);
});

it('invalidates everything of one patient and nothing of another', () => {
  const { invalidation, invalidated } = cacheWithEvents();
  invalidation.onHubEvent({ name: 'PatientChanged', body: { patientId: 'one' } });
  expect(invalidated()).toEqual(['studiesOne', 'patientOne', 'patients', 'viewsetOne', 'statesOne']);
});

it('invalidates the presentation states of images when an import is done, which may have brought some', () => {
  const { invalidation, invalidated } = cacheWithEvents();
  invalidation.onHubEvent({ name: 'imported', body: { succeeded: true, result: { taskId: 'task' } } });
  expect(invalidated()).toContain('statesOne');
});

it('invalidates all lists of orders when an order changes, and those that show a patient who changes', () => {
  const { client, invalidation } = cacheWithEvents();
  const [shown, other] = [
    ['orders', 'day', 'clinic', '2026-11-29'],
    ['orders', 'day', 'clinic', '2026-11-30'],
  ] as const;
  client.setQueryData(shown, { orders: [{ patientId: 'one' }] });
  client.setQueryData(other, { orders: [{ patientId: 'two' }] });
  const invalidated = () => {
    vi.advanceTimersByTime(400);
    return [shown, other].map((key) => client.getQueryState(key)?.isInvalidated);
  };
  invalidation.onHubEvent({ name: 'PatientChanged', body: { patientId: 'one' } });
  expect(invalidated()).toEqual([true, false]);
  invalidation.onHubEvent({ name: 'OrdersChanged', body: { patientId: 'three' } });
  expect(invalidated()).toEqual([true, true]);
});

it('loses no event when several arrive at once', () => {
  const { invalidation, invalidated } = cacheWithEvents();
  invalidation.onHubEvent({ name: 'PatientChanged', body: { patientId: 'one' } });
  invalidation.onHubEvent({ name: 'PatientChanged', body: { patientId: 'two' } });
  expect(invalidated()).toEqual(Object.keys(queryKeys));
});

it('invalidates the trays of a patient after a new thumbnail of an unmounted image', () => {
  const { invalidation, invalidated } = cacheWithEvents();
  const item = { imageUid: 'image', activeImageThumbLink: 'error' };
  invalidation.onHubEvent({ name: 'DetachedImageProcessedFailed', body: { patientId: 'one', viewsetId: null, item } });
  expect(invalidated()).toEqual(['studiesOne', 'viewsetOne']);
});

it('invalidates the gallery pages with a changed patient, or with a thumbnail that was missing', () => {
  const { client, invalidation, invalidated } = cacheWithEvents();
  const page = (patientId: string, activeImageThumbLink: string | null) => ({
    data: [{ patientId, activeImageThumbLink }],
  });
  client.setQueryData(['gallery', {}, 0], page('one', '/thumb'));
  client.setQueryData(['gallery', {}, 1], page('one', null));
  client.setQueryData(['gallery', {}, 2], page('two', null));
  const oldPages = () => [0, 1, 2].filter((index) => client.getQueryState(['gallery', {}, index])?.isInvalidated);
  const item = { imageUid: 'image', activeImageThumbLink: '/thumb' };
  invalidation.onHubEvent({ name: 'ImageProcessed', body: { patientId: 'one', viewsetId: 'v1', item } });
  expect(invalidated()).toEqual(['studiesOne', 'viewsetOne']);
  expect(oldPages()).toEqual([1]);
  invalidation.onHubEvent({ name: 'PatientChanged', body: { patientId: 'one' } });
  invalidated();
  expect(oldPages()).toEqual([0, 1]);
});

it('invalidates everything when the hub is connected again, but not at the first time', () => {
  const { invalidation, invalidated } = cacheWithEvents();
  invalidation.onHubOpened();
  expect(invalidated()).toEqual([]);
  invalidation.onHubOpened();
  expect(invalidated()).toEqual(Object.keys(queryKeys));
});

it('invalidates everything when the language changes, and nothing at other preferences', () => {
  const client = new QueryClient();
  const preferences = createPreferences(memoryStore());
  refetchInOtherLanguage(preferences, () => preferences.current().language ?? 'sv', client);
  client.setQueryData(queryKeys.patients, {});
  const isStale = () => client.getQueryState(queryKeys.patients)?.isInvalidated;
  preferences.change({ theme: 'dark' });
  preferences.change({ language: 'sv' });
  expect(isStale()).toBe(false);
  preferences.change({ language: 'da' });
  expect(isStale()).toBe(true);
});
