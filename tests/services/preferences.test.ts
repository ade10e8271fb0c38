import { expect, it } from 'vitest';
import { createPreferences } from '../../src/services/preferences.ts';
import { memoryStore } from './archive-double.ts';

const key = 'dentarium.preferences';

it('stores a choice over a restart and notifies of it', () => {
  const store = memoryStore();
  const first = createPreferences(store);
  let notified = 0;
  const leave = first.subscribe(() => {
    notified += 1;
  });
  first.change({ language: 'da', hiddenOverlays: ['teeth'] });
  leave();
  first.change({ theme: 'dark' });
  expect(notified).toBe(1);
  expect(createPreferences(store).current()).toEqual({ language: 'da', theme: 'dark', hiddenOverlays: ['teeth'] });
});

it('uses the readable part of what is stored', () => {
  const store = memoryStore();
  store.setItem(key, JSON.stringify({ language: 'klingon', theme: 'light', hiddenOverlays: 3 }));
  expect(createPreferences(store).current()).toEqual({ language: null, theme: 'light', hiddenOverlays: [] });
  store.setItem(key, '{broken');
  expect(createPreferences(store).current().theme).toBe('mixed');
});

it('keeps a choice for the tab when the store is full', () => {
  const preferences = createPreferences({
    ...memoryStore(),
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  preferences.change({ theme: 'dark' });
  expect(preferences.current().theme).toBe('dark');
});
