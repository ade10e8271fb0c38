import type {
  logReviewClose,
  logReviewCreate,
  logReviewers,
  logReviewGet,
  logReviewList,
} from '../../../contract/log-reviews.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../../contract/route.ts';

/** Reviews of the access log. Each call throws ServiceError. */
export interface LogReviews {
  readonly list: (query: QueryOf<typeof logReviewList>, signal: AbortSignal) => Promise<ReplyOf<typeof logReviewList>>;
  readonly get: (id: string, signal: AbortSignal) => Promise<ReplyOf<typeof logReviewGet>>;
  readonly reviewers: (customerId: string, signal: AbortSignal) => Promise<ReplyOf<typeof logReviewers>>;
  readonly create: (body: BodyOf<typeof logReviewCreate>) => Promise<ReplyOf<typeof logReviewCreate>>;
  readonly takeOver: (id: string) => Promise<void>;
  readonly close: (id: string, body: BodyOf<typeof logReviewClose>) => Promise<void>;
}
