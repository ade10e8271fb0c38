import type { InspectionEvent } from 'xstate';
import { observe } from './observed.ts';
import { openPanel } from './panel.ts';

const key = 'dentarium-inspect';

/** Returns whether `?inspect` was requested in this tab, also before a redirect to sign in. */
export const isInspectorRequested = (search: string = location.search, storage: Storage = sessionStorage): boolean => {
  if (new URLSearchParams(search).has('inspect')) storage.setItem(key, '1');
  return storage.getItem(key) === '1';
};

/** Opens the inspector and returns the `inspect` option of `createActor`. Once closed, it stays closed until requested again. */
export const openInspector = (): ((event: InspectionEvent) => void) => {
  const observed = observe();
  openPanel(observed, () => sessionStorage.removeItem(key));
  return observed.inspect;
};
