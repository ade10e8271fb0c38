import { expect, it } from 'vitest';
import { createPreferences } from '../../src/services/preferences.ts';
import { memoryStore } from './archive-double.ts';

const key = 'dentarium.preferences';

it('keeps a choice over a restart and tells of it', () => {
  const store = memoryStore();
  const first = createPreferences(store);
  let heard = 0;
  const leave = first.subscribe(() => {
    heard += 1;
  });
  first.change({ language: 'da', hiddenOverlays: ['teeth'] });
  leave();
  first.change({ theme: 'dark' });
  expect(heard).toBe(1);
  expect(createPreferences(store).current()).toEqual({ language: 'da', theme: 'dark', hiddenOverlays: ['teeth'] });
});

it('takes the readable part of what is stored', () => {
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
