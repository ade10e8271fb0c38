import type { Context } from 'oidc-provider';
import { databaseProblemOf } from '../db/database-problem.ts';
import { retryAfterSeconds } from '../problem-replies.ts';

/** Reports to a program that the provider is temporarily unavailable (RFC 6749 section 5.2), so that it retries and no user is signed out. */
export const replyUnavailable = (ctx: Context, problem: NonNullable<ReturnType<typeof databaseProblemOf>>): void => {
  ctx.status = 503;
  ctx.set('retry-after', String(retryAfterSeconds));
  ctx.body = { error: 'temporarily_unavailable', error_description: problem };
};

/** Handles errors thrown outside of the provider's own handlers. */
export const unavailableReplies = async (ctx: Context, next: () => Promise<void>): Promise<void> => {
  try {
    await next();
  } catch (error) {
    const problem = databaseProblemOf(error);
    if (!problem) throw error;
    replyUnavailable(ctx, problem);
  }
};
