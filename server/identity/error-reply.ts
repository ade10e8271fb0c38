import type { Context } from 'oidc-provider';
import type { ProblemCode } from '../../contract/problem.ts';
import { isDatabaseUnavailable } from '../db/database-unavailable.ts';
import { replyUnavailable, unavailable } from './unavailable-reply.ts';

const problemOf = (ctx: Context, error: Error): ProblemCode => {
  if (error.name === 'SessionNotFound') return 'sign-in-expired';
  return ctx.status >= 500 ? 'internal' : 'invalid-request';
};

/** Replies to errors that cannot be returned to the client: an error page for browsers, the error itself (RFC 6749 section 5.2) for programs. */
export const replyWithError = async (ctx: Context, body: object, error: Error): Promise<void> => {
  const isAway = isDatabaseUnavailable(error);
  if (ctx.accepts('json', 'html') === 'json') {
    if (isAway) replyUnavailable(ctx);
    else ctx.body = body;
    return;
  }
  const problem = isAway ? unavailable : problemOf(ctx, error);
  ctx.redirect(`/authorization?${new URLSearchParams({ problem })}`);
  ctx.status = 303;
};
