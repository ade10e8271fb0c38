import { gzipSync } from 'node:zlib';
import type { Page, Response } from '@playwright/test';

/** Counts the scripts loaded by the page itself, compressed (gzip 9); excludes workers and WebAssembly. */
export const countScripts = (page: Page) => {
  const sizes = new Map<string, Promise<number>>();
  page.on('response', (reply: Response) => {
    const isScript = reply.request().resourceType() === 'script' && /\.js(\?|$)/.test(reply.url());
    const byWorker = reply.request().serviceWorker() !== null || /worker/i.test(new URL(reply.url()).pathname);
    if (isScript && !byWorker)
      sizes.set(
        reply.url(),
        reply.body().then((body) => gzipSync(body, { level: 9 }).length),
      );
  });
  return {
    /** Total bytes so far, and the size of each script. */
    total: async () => {
      const entries = await Promise.all(
        [...sizes].map(async ([url, size]) => [new URL(url).pathname, await size] as const),
      );
      return { bytes: entries.reduce((sum, [, size]) => sum + size, 0), entries };
    },
  };
};
