import type { InspectionEvent } from 'xstate';
import { observe } from './observed.ts';
import { openPanel } from './panel.ts';

const key = 'dentarium-inspect';

/** Whether `?inspect` was asked for in this tab, now or before the browser went elsewhere to sign in. */
export const isInspectionWanted = (search: string = location.search, kept: Storage = sessionStorage): boolean => {
  if (new URLSearchParams(search).has('inspect')) kept.setItem(key, '1');
  return kept.getItem(key) === '1';
};

/** Opens the inspector; the answer is for `createActor`'s `inspect`. Closed, it stays closed until it is asked for again. */
export const openInspector = (): ((event: InspectionEvent) => void) => {
  const observed = observe();
  openPanel(observed, () => sessionStorage.removeItem(key));
  return observed.hear;
};
