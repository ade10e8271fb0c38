import { type ComponentType, createElement, lazy, use, useSyncExternalStore } from 'react';

/** How long a part of the program may take to come; then the page says that it stopped. */
const timeOutMs = 120_000;
const longestPauseMs = 5_000;

/** A style sheet that did not come is asked for again: the module loader believes that it is there. */
const askForStylesAgain = (): void => {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    if (!link.sheet) link.replaceWith(link.cloneNode());
};

/** A pause that ends early when the line is back. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
  });

/** What had to be asked for again and is still not there. */
const late = new Set<object>();
const watchers = new Set<() => void>();
const mark = (load: object, isLate: boolean): void => {
  if (isLate) late.add(load);
  else late.delete(load);
  for (const tell of [...watchers]) tell();
};
const watch = (tell: () => void) => {
  watchers.add(tell);
  return () => watchers.delete(tell);
};

/** Parts of the program that are wanted do not come: the line is cut, or nobody answers. */
export const useIsLate = (): boolean => useSyncExternalStore(watch, () => late.size > 0);

/** Loads until it is there; after 120 s of failing it throws what the last try threw. */
export const patiently = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  const ends = performance.now() + timeOutMs;
  try {
    for (let pauseMs = 500; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await load();
      } catch (error) {
        if (performance.now() + pauseMs > ends) throw error;
        mark(load, true);
        await pause(pauseMs);
        askForStylesAgain();
      }
    }
  } finally {
    if (late.has(load)) mark(load, false);
  }
};

/** A component that is fetched when it is first drawn. A line that is cut meanwhile makes it late; it does not break the page. */
// biome-ignore lint/suspicious/noExplicitAny: a component of any properties; React's own `lazy` asks for the same
export const lazily = <Part extends ComponentType<any>>(load: () => Promise<Part>) =>
  lazy(async () => ({ default: await patiently(load) }));

/** As `lazily`. What `fetch` has brought before it is drawn is drawn at once, without a fallback in between. */
export const lazilyOrAtOnce = <Props extends object>(load: () => Promise<ComponentType<Props>>) => {
  let there: ComponentType<Props> | null = null;
  const fetch = async () => {
    there = await load();
    return there;
  };
  const Late: ComponentType<Props> = lazily(fetch);
  return Object.assign((props: Props) => createElement(there ?? Late, props), { fetch });
};

const loading = new WeakMap<() => Promise<unknown>, Promise<unknown>>();

/** What `load` brings, the same function each time: suspends until it is there, as patient as a component that is fetched. */
export const useLate = <Part>(load: () => Promise<Part>): Part => {
  const known = loading.get(load) ?? patiently(load);
  loading.set(load, known);
  return use(known as Promise<Part>);
};
