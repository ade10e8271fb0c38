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

it('goes on with the list and the type of a search for digits, in whichever list', () => {
  const want = wanting();
  want('/?q=D0026&type=studies');
  expect(here()).toBe('/?type=studies');
  expect(window.history.state).toEqual({ listSearch: 'D0026' });
  want('/45aaf619-9dd8-8cdd-965e-923af9a2621e/gallery?q=19540211&modality=IO');
  expect(here()).toBe('/45aaf619-9dd8-8cdd-965e-923af9a2621e/gallery?modality=IO');
  expect(window.history.state).toEqual({ listSearch: '19540211' });
});

it('leaves no digits in the way back where an address was opened with them', () => {
  window.history.replaceState(null, '', '/?q=19540211');
  const before = window.history.length;
  wanting()('/?q=19540211');
  expect([here(), window.history.length]).toEqual(['/', before]);
});

it('stays at an address that begins with two slashes, which names no other host', () => {
  window.history.replaceState(null, '', `${window.location.origin}//`);
  expect(() => wanting()('//')).not.toThrow();
  expect(here()).toBe('//');
});
