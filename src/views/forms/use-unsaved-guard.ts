import { useLayoutEffect, useState } from 'react';
import { isEntry } from '../places.ts';
import { useUnsavedWarning } from './use-unsaved-warning.ts';

/** Somebody wants to go to another page while something is not saved. */
export interface Leaving {
  /** Goes there after all. */
  readonly go: () => void;
  readonly stay: () => void;
}

type Ask = (go: () => void) => void;

/** Those who have something to lose, the last one first to be asked. While there are any, the history asks before it goes on. */
const asking: Ask[] = [];

const isOtherPage = (url: string | URL | null | undefined) => {
  const { pathname } = new URL(url ?? '', window.location.href);
  // Nobody stays on a page from which they were signed out.
  return pathname !== window.location.pathname && !isEntry(pathname);
};

/** Every link and every command goes through `pushState`; a redirect replaces, and is nobody's wish. */
const guardPushes = () => {
  const { pushState } = window.history;
  window.history.pushState = (...place) => {
    const ask = isOtherPage(place[2]) ? asking.at(-1) : undefined;
    if (ask) ask(() => window.history.pushState(...place));
    else pushState.apply(window.history, place);
  };
  return () => {
    window.history.pushState = pushState;
  };
};

/** The browser's own buttons can be asked before they go only through the Navigation API. */
const guardTraversals = () => {
  if (!('navigation' in window)) return () => {};
  const { navigation } = window;
  const onNavigate = (event: NavigateEvent) => {
    const ask = asking.at(-1);
    const { key, sameDocument } = event.destination;
    if (event.navigationType !== 'traverse' || !event.cancelable || !sameDocument || !ask) return;
    event.preventDefault();
    ask(() => {
      // Not by steps: Chromium counts them from where it was kept from going.
      const { committed, finished } = navigation.traverseTo(key);
      void Promise.allSettled([committed, finished]);
    });
  };
  navigation.addEventListener('navigate', onNavigate);
  return () => navigation.removeEventListener('navigate', onNavigate);
};

let release: readonly (() => void)[] = [];

const add = (ask: Ask) => {
  if (asking.push(ask) === 1) release = [guardPushes(), guardTraversals()];
};
const remove = (ask: Ask) => {
  const place = asking.indexOf(ask);
  if (place < 0) return;
  asking.splice(place, 1);
  if (asking.length > 0) return;
  for (const one of release) one();
  release = [];
};

/**
 * Holds whoever would leave the page while something is not saved: by a link, a command, the browser's back and forward buttons, or by closing
 * the tab (about which the browser asks itself). Not null: ask them. A browser that cannot be asked goes back without a word.
 */
export const useUnsavedGuard = (dirty: boolean): Leaving | null => {
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  useUnsavedWarning(dirty);
  // Gone before a page that takes this one's place goes anywhere itself.
  useLayoutEffect(() => {
    if (!dirty) return undefined;
    const ask: Ask = (go) =>
      setLeaving({
        go: () => {
          remove(ask);
          setLeaving(null);
          go();
        },
        stay: () => setLeaving(null),
      });
    add(ask);
    return () => {
      remove(ask);
      setLeaving(null);
    };
  }, [dirty]);
  return leaving;
};
