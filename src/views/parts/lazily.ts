import { type ComponentType, lazy } from 'react';

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

const patiently = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  const ends = performance.now() + timeOutMs;
  for (let pauseMs = 500; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await load();
    } catch (error) {
      if (performance.now() + pauseMs > ends) throw error;
      await pause(pauseMs);
      askForStylesAgain();
    }
  }
};

/** A component that is fetched when it is first drawn. A line that is cut meanwhile makes it late; it does not break the page. */
// biome-ignore lint/suspicious/noExplicitAny: a component of any properties; React's own `lazy` asks for the same
export const lazily = <Part extends ComponentType<any>>(load: () => Promise<Part>) =>
  lazy(async () => ({ default: await patiently(load) }));
