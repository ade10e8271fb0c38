import { z } from 'zod';
import { accessPatterns, isPatternPeriod } from './access-log.ts';
import { dateOnly, moment, page, reference, uuid } from './bounds.ts';
import { emptyReply, needs, route } from './route.ts';

/** Most users that one sample has. */
export const maxSample = 20;
/** Characters of a comment. */
export const maxReviewComment = 2_000;

export const reviewOutcome = z.enum(['nothing', 'follow-up']);
export type ReviewOutcome = z.infer<typeof reviewOutcome>;

/** By whom, when and how a review was closed. */
export const closedReview = z.object({ by: reference, at: moment, outcome: reviewOutcome, comment: z.string() });

/** A check of what one user accessed in a period. Once it is closed it never changes. */
export const logReview = z.object({
  id: uuid,
  customerId: uuid,
  account: reference,
  from: dateOnly,
  to: dateOnly,
  reason: z.enum(['sample', 'chosen']),
  reviewer: reference,
  createdBy: reference,
  createdAt: moment,
  /** Null: still open. */
  closed: closedReview.nullable(),
});
export type LogReview = z.infer<typeof logReview>;

/** What the user accessed at the clinic in the period. Patterns count entries whose patients the caller may see by name. */
export const reviewCounts = z.object({
  patients: z.number().int(),
  images: z.number().int(),
  patterns: z.record(z.enum(accessPatterns), z.number().int()),
});

export const reviewStates = ['open', 'own', 'closed'] as const;

/** Reviews of a clinic: the open ones (`own`: those assigned to the caller), the caller's first, or the closed ones, the newest first. */
export const logReviewList = route({
  method: 'GET',
  path: '/api/LogReview',
  query: page.extend({ customerId: uuid, state: z.enum(reviewStates).default('open') }),
  access: needs('user.get'),
  reply: z.object({ data: z.array(logReview), totalCount: z.number().int() }),
});

export const logReviewGet = route({
  method: 'GET',
  path: '/api/LogReview/:id',
  params: z.object({ id: uuid }),
  access: needs('user.get'),
  reply: logReview.extend({ counts: reviewCounts }),
});

/** Users who can review the log of a clinic, by name: its own who may read the log, and the caller. */
export const logReviewers = route({
  method: 'GET',
  path: '/api/LogReviewers/:customerId',
  params: z.object({ customerId: uuid }),
  access: needs('user.get'),
  reply: z.array(reference),
});

/**
 * Creates reviews: of `accountId`, or of `count` users drawn at random among those who opened patients in the period, are not the reviewer and have no
 * review of this period. Fails with `conflict` when the chosen user has one. The reviewer is the caller by default.
 */
export const logReviewCreate = route({
  method: 'POST',
  path: '/api/LogReview',
  body: z
    .strictObject({
      customerId: uuid,
      from: dateOnly,
      to: dateOnly,
      reviewerId: uuid.optional(),
      count: z.number().int().min(1).max(maxSample).optional(),
      accountId: uuid.optional(),
    })
    .refine(({ from, to }) => from <= to && isPatternPeriod(from, to), { path: ['to'] })
    .refine(({ count, accountId }) => (count === undefined) !== (accountId === undefined), { path: ['count'] })
    .refine(({ accountId, reviewerId }) => accountId === undefined || accountId !== reviewerId, {
      path: ['reviewerId'],
    }),
  access: needs('user.get'),
  reply: z.object({ ids: z.array(uuid) }),
});

/** Assigns an open review to the caller. Fails with `own-account` when it is about the caller, and with `conflict` when it is closed. */
export const logReviewTakeOver = route({
  method: 'POST',
  path: '/api/LogReview/:id/take-over',
  params: z.object({ id: uuid }),
  access: needs('user.get'),
  reply: emptyReply,
});

/** Closes a review that is assigned to the caller. Fails with `conflict` when it is closed or assigned to another user. */
export const logReviewClose = route({
  method: 'POST',
  path: '/api/LogReview/:id/close',
  params: z.object({ id: uuid }),
  body: z
    .strictObject({ outcome: reviewOutcome, comment: z.string().trim().max(maxReviewComment) })
    .refine(({ outcome, comment }) => outcome !== 'follow-up' || comment !== '', { path: ['comment'] }),
  access: needs('user.get'),
  reply: emptyReply,
});
