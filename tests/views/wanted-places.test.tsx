import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AppActor } from '../../src/machines/app/app.machine.ts';
import { useWantedPlaces } from '../../src/views/places.ts';

/** A root that wants to go somewhere, and nothing else. */
const wanting = () => {
  let tell: (event: { place: string }) => void = () => {};
  const app = {
    on: (_type: string, listener: typeof tell) => {
      tell = listener;
      return { unsubscribe: () => {} };
    },
  } as unknown as AppActor;
  renderHook(() => useWantedPlaces(app));
  return (place: string) => tell({ place });
};

const here = () => window.location.pathname + window.location.search;

beforeEach(() => window.history.replaceState(null, '', '/help'));
afterEach(cleanup);

it('goes on where a search was, with its list, its page and its order', () => {
  const want = wanting();
  want('/?q=palmkvist&tab=bin&page=2&sort=name');
  expect(here()).toBe('/?q=palmkvist&tab=bin&page=2&sort=name');
});

it('leaves no step in the way back where one is already', () => {
  const want = wanting();
  want('/?q=palmkvist&tab=bin');
  const before = window.history.length;
  want('/?q=palmkvist&tab=bin');
  expect([here(), window.history.length]).toEqual(['/?q=palmkvist&tab=bin', before]);
});

it('keeps digits out of the address', () => {
  const want = wanting();
  want('/?q=19540211');
  expect(here()).toBe('/');
  expect(window.history.state).toEqual({ listSearch: '19540211' });
});
