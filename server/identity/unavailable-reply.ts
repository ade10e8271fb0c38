import type { Context } from 'oidc-provider';
import type { ProblemCode } from '../../contract/problem.ts';
import { isDatabaseUnavailable } from '../db/database-unavailable.ts';
import { retryAfterSeconds } from '../problem-replies.ts';

export const unavailable: ProblemCode = 'database-unavailable';

/** Tells a program that the provider is temporarily unavailable (RFC 6749 section 5.2), so that it retries and nobody is signed out. */
export const replyUnavailable = (ctx: Context): void => {
  ctx.status = 503;
  ctx.set('retry-after', String(retryAfterSeconds));
  ctx.body = { error: 'temporarily_unavailable', error_description: unavailable };
};

/** Handles errors thrown outside of the provider's own handlers. */
export const unavailableReplies = async (ctx: Context, next: () => Promise<void>): Promise<void> => {
  try {
    await next();
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    replyUnavailable(ctx);
  }
};
