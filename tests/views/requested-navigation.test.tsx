import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AppActor } from '../../src/machines/app/app.machine.ts';
import { useRequestedNavigation } from '../../src/views/app/paths.ts';

/** A root actor that emits navigation requests only. */
const navigation = () => {
  let emit: (event: { path: string }) => void = () => {};
  const app = {
    on: (_type: string, listener: typeof emit) => {
      emit = listener;
      return { unsubscribe: () => {} };
    },
  } as unknown as AppActor;
  renderHook(() => useRequestedNavigation(app));
  return (path: string) => emit({ path });
};

const here = () => window.location.pathname + window.location.search;

beforeEach(() => window.history.replaceState(null, '', '/help'));
afterEach(cleanup);

it('keeps list, page and order of the previous search', () => {
  const request = navigation();
  request('/?q=palmkvist&tab=bin&page=2&sort=name');
  expect(here()).toBe('/?q=palmkvist&tab=bin&page=2&sort=name');
});

it('adds no history entry for the current URL', () => {
  const request = navigation();
  request('/?q=palmkvist&tab=bin');
  const before = window.history.length;
  request('/?q=palmkvist&tab=bin');
  expect([here(), window.history.length]).toEqual(['/?q=palmkvist&tab=bin', before]);
});

it('keeps digits out of the URL', () => {
  const request = navigation();
  request('/?q=19540211');
  expect(here()).toBe('/');
  expect(window.history.state).toEqual({ listSearch: '19540211' });
});

it('keeps list and type for a search of digits, in either list', () => {
  const request = navigation();
  request('/?q=D0026&type=studies');
  expect(here()).toBe('/?type=studies');
  expect(window.history.state).toEqual({ listSearch: 'D0026' });
  request('/45aaf619-9dd8-8cdd-965e-923af9a2621e/gallery?q=19540211&modality=IO');
  expect(here()).toBe('/45aaf619-9dd8-8cdd-965e-923af9a2621e/gallery?modality=IO');
  expect(window.history.state).toEqual({ listSearch: '19540211' });
});

it('removes digits from history when a URL was opened with them', () => {
  window.history.replaceState(null, '', '/?q=19540211');
  const before = window.history.length;
  navigation()('/?q=19540211');
  expect([here(), window.history.length]).toEqual(['/', before]);
});

it('keeps a URL with two leading slashes on this host', () => {
  window.history.replaceState(null, '', `${window.location.origin}//`);
  expect(() => navigation()('//')).not.toThrow();
  expect(here()).toBe('//');
});
