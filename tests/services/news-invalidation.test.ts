import { QueryClient } from '@tanstack/query-core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createNewsInvalidation } from '../../src/services/news-invalidation.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const kept = {
  studiesOne: ['studies', 'one', { page: 1 }],
  studiesTwo: ['studies', 'two', { page: 1 }],
  patientOne: ['patient', 'one'],
  patients: ['patients', { q: '' }],
  viewsetOne: ['viewset', 'v1'],
  viewsetTwo: ['viewset', 'v2'],
} as const;

const room = () => {
  const client = new QueryClient();
  for (const key of Object.values(kept)) client.setQueryData(key, {});
  client.setQueryData(kept.viewsetOne, { patientId: 'one', version: 5 });
  client.setQueryData(kept.viewsetTwo, { patientId: 'two', version: 5 });
  const news = createNewsInvalidation(client);
  const old = () => {
    vi.advanceTimersByTime(400);
    const names = Object.entries(kept);
    return names.filter(([, key]) => client.getQueryState(key)?.isInvalidated).map(([name]) => name);
  };
  return { client, news, old };
};

it('makes a viewset and its studies old when somebody has changed what hangs there', () => {
  const { news, old } = room();
  news.hear({ name: 'ViewsetChanged', body: { patientId: 'one', viewsetId: 'v1', version: 6 } });
  expect(old()).toEqual(['studiesOne', 'viewsetOne']);
});

it('leaves a viewset alone whose reply is as new as the news of an own change', () => {
  const { news, old } = room();
  news.hear({ name: 'ViewsetChanged', body: { patientId: 'one', viewsetId: 'v1', version: 5 } });
  expect(old()).toEqual(['studiesOne']);
});

it('makes all of one patient old and nothing of another', () => {
  const { news, old } = room();
  news.hear({ name: 'PatientChanged', body: { patientId: 'one' } });
  expect(old()).toEqual(['studiesOne', 'patientOne', 'patients', 'viewsetOne']);
});

it('forgets no news when several come in one moment', () => {
  const { news, old } = room();
  news.hear({ name: 'PatientChanged', body: { patientId: 'one' } });
  news.hear({ name: 'PatientChanged', body: { patientId: 'two' } });
  expect(old()).toEqual(['studiesOne', 'studiesTwo', 'patientOne', 'patients', 'viewsetOne', 'viewsetTwo']);
});

it('a thumbnail of an image that hangs nowhere makes the trays of its patient old', () => {
  const { news, old } = room();
  const item = { imageUid: 'image', activeImageThumbLink: 'error' };
  news.hear({ name: 'DetachedImageProcessedFailed', body: { patientId: 'one', viewsetId: null, item } });
  expect(old()).toEqual(['studiesOne', 'viewsetOne']);
});

it('makes those pages of the gallery old that show a patient who was changed, or lacked a picture that is made now', () => {
  const { client, news, old } = room();
  const page = (patientId: string, activeImageThumbLink: string | null) => ({
    data: [{ patientId, activeImageThumbLink }],
  });
  client.setQueryData(['gallery', {}, 0], page('one', '/thumb'));
  client.setQueryData(['gallery', {}, 1], page('one', null));
  client.setQueryData(['gallery', {}, 2], page('two', null));
  const oldPages = () => [0, 1, 2].filter((index) => client.getQueryState(['gallery', {}, index])?.isInvalidated);
  const item = { imageUid: 'image', activeImageThumbLink: '/thumb' };
  news.hear({ name: 'ImageProcessed', body: { patientId: 'one', viewsetId: 'v1', item } });
  expect(old()).toEqual(['studiesOne', 'viewsetOne']);
  expect(oldPages()).toEqual([1]);
  news.hear({ name: 'PatientChanged', body: { patientId: 'one' } });
  old();
  expect(oldPages()).toEqual([0, 1]);
});
