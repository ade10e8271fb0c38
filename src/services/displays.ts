import { displaySave, marksSave } from '../../contract/displays.ts';
import type { BodyOf } from '../../contract/route.ts';
import type { Call } from './call.ts';
import { type Failure, failureOf, isRefusedAs } from './failure.ts';
import type { NewsInvalidation } from './news-invalidation.ts';
import { queryRoots } from './queries.ts';

/** The version that something has now, or why it was not kept. Never rejects. */
export type Kept = { readonly version: number } | { readonly failure: Failure };

export interface Displays {
  readonly saveDisplay: (body: BodyOf<typeof displaySave>) => Promise<Kept>;
  readonly saveMarks: (body: BodyOf<typeof marksSave>) => Promise<Kept>;
}

/** A browser lets a page that goes away finish 64 KiB, all requests together. */
const lastWordBytes = 16_000;

/** How images are shown and measured, sent to the archive. What somebody else changed first is fetched again. */
export const createDisplays = (call: Call, news: Pick<NewsInvalidation, 'touched'>): Displays => {
  const keepalive = (body: object) => JSON.stringify(body).length <= lastWordBytes;
  const failed = (error: unknown): Kept => {
    const failure = failureOf(error);
    if (isRefusedAs(failure, 'conflict')) {
      news.touched([queryRoots.viewset]);
      news.touched([queryRoots.studies]);
    }
    return { failure };
  };
  return {
    saveDisplay: async (body) => {
      try {
        const { displayVersion } = await call(displaySave, { body, keepalive: keepalive(body) });
        return { version: displayVersion };
      } catch (error) {
        return failed(error);
      }
    },
    saveMarks: async (body) => {
      try {
        const { marksVersion } = await call(marksSave, { body, keepalive: keepalive(body) });
        return { version: marksVersion };
      } catch (error) {
        return failed(error);
      }
    },
  };
};
