import { type ComponentType, createElement, lazy, use, useSyncExternalStore } from 'react';

/** Total time for loading a chunk; after it the page reports an error. */
const timeOutMs = 120_000;
const maxPauseMs = 5_000;

/** Reloads style sheets that failed: the module loader considers them loaded. */
const reloadMissingStyles = (): void => {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    if (!link.sheet) link.replaceWith(link.cloneNode());
};

/** Waits; ends early when the browser is online again. */
const waitOrOnline = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
  });

/** Chunks whose first load failed and that are being retried. */
const delayed = new Set<object>();
const listeners = new Set<() => void>();
const setDelayed = (load: object, isDelayed: boolean): void => {
  if (isDelayed) delayed.add(load);
  else delayed.delete(load);
  for (const listener of [...listeners]) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns whether chunks are being retried because of connection loss or an unreachable server. */
export const useIsLoadDelayed = (): boolean => useSyncExternalStore(subscribe, () => delayed.size > 0);

/** Loads with retries; after 120 s of failures it throws the last error. */
export const loadWithRetry = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  const ends = performance.now() + timeOutMs;
  try {
    for (let pauseMs = 500; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      try {
        return await load();
      } catch (error) {
        if (performance.now() + pauseMs > ends) throw error;
        setDelayed(load, true);
        await waitOrOnline(pauseMs);
        reloadMissingStyles();
      }
    }
  } finally {
    if (delayed.has(load)) setDelayed(load, false);
  }
};

/** Creates a component whose code is loaded on first render, with retries. */
// biome-ignore lint/suspicious/noExplicitAny: a component of any properties; React's own `lazy` asks for the same
export const lazyComponent = <Part extends ComponentType<any>>(load: () => Promise<Part>) =>
  lazy(async () => ({ default: await loadWithRetry(load) }));

/** Like `lazyComponent`, but code already brought in by `fetch` renders without a fallback. */
export const preloadableComponent = <Props extends object>(load: () => Promise<ComponentType<Props>>) => {
  let loaded: ComponentType<Props> | null = null;
  const fetch = async () => {
    loaded = await load();
    return loaded;
  };
  const Lazy: ComponentType<Props> = lazyComponent(fetch);
  return Object.assign((props: Props) => createElement(loaded ?? Lazy, props), { fetch });
};

const loading = new WeakMap<() => Promise<unknown>, Promise<unknown>>();

/** Returns what `load` resolves to; suspends until then. `load` must be the same function each time. */
export const useLoaded = <Part>(load: () => Promise<Part>): Part => {
  const known = loading.get(load) ?? loadWithRetry(load);
  loading.set(load, known);
  return use(known as Promise<Part>);
};
