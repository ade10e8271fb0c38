import {
  logReviewClose,
  logReviewCreate,
  logReviewers,
  logReviewGet,
  logReviewList,
  logReviewTakeOver,
} from './log-reviews.ts';

/** The routes by which the access log is reviewed. */
export const logReviewRoutes = {
  logReviewList,
  logReviewers,
  logReviewGet,
  logReviewCreate,
  logReviewTakeOver,
  logReviewClose,
} as const;
