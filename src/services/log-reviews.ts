import {
  logReviewClose,
  logReviewCreate,
  logReviewers,
  logReviewGet,
  logReviewList,
  logReviewTakeOver,
} from '../../contract/log-reviews.ts';
import type { BodyOf, QueryOf } from '../../contract/route.ts';
import type { Call } from './call.ts';

/** Creates the calls about reviews of the access log. */
export const createLogReviews = (call: Call) => ({
  list: (query: QueryOf<typeof logReviewList>, signal: AbortSignal) => call(logReviewList, { query, signal }),
  get: (id: string, signal: AbortSignal) => call(logReviewGet, { params: { id }, signal }),
  reviewers: (customerId: string, signal: AbortSignal) => call(logReviewers, { params: { customerId }, signal }),
  create: (body: BodyOf<typeof logReviewCreate>) => call(logReviewCreate, { body }),
  takeOver: async (id: string) => void (await call(logReviewTakeOver, { params: { id } })),
  close: async (id: string, body: BodyOf<typeof logReviewClose>) =>
    void (await call(logReviewClose, { params: { id }, body })),
});
export type LogReviews = ReturnType<typeof createLogReviews>;
