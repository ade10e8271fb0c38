import { displaySave, marksSave } from '../../contract/displays.ts';
import type { BodyOf } from '../../contract/route.ts';
import type { Call } from './call.ts';
import { type Failure, failureOf, hasProblemCode } from './failure.ts';
import { queryRoots } from './queries.ts';
import type { QueryInvalidation } from './query-invalidation.ts';

/** The new version, or why saving failed. */
export type SaveResult = { readonly version: number } | { readonly failure: Failure };

export interface Displays {
  readonly saveDisplay: (body: BodyOf<typeof displaySave>) => Promise<SaveResult>;
  readonly saveMarks: (body: BodyOf<typeof marksSave>) => Promise<SaveResult>;
}

/** Browsers limit keepalive requests to 64 KiB in total. */
const keepaliveBytes = 16_000;

/** Creates calls that save displays and marks; they never reject. After a conflict the queries are invalidated. */
export const createDisplays = (call: Call, invalidation: Pick<QueryInvalidation, 'invalidate'>): Displays => {
  const keepalive = (body: object) => JSON.stringify(body).length <= keepaliveBytes;
  const failed = (error: unknown): SaveResult => {
    const failure = failureOf(error);
    if (hasProblemCode(failure, 'conflict')) {
      invalidation.invalidate([queryRoots.viewset]);
      invalidation.invalidate([queryRoots.studies]);
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
