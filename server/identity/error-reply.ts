import type { Context } from 'oidc-provider';
import type { ProblemCode } from '../../contract/problem.ts';
import { databaseProblemOf } from '../db/database-problem.ts';
import { replyUnavailable } from './unavailable-reply.ts';

const problemOf = (ctx: Context, error: Error): ProblemCode => {
  if (error.name === 'SessionNotFound') return 'sign-in-expired';
  return ctx.status >= 500 ? 'internal' : 'invalid-request';
};

/** Replies to errors that cannot be returned to the client: an error page for browsers, the error itself (RFC 6749 section 5.2) for programs. */
export const replyWithError = async (ctx: Context, body: object, error: Error): Promise<void> => {
  const databaseProblem = databaseProblemOf(error);
  if (ctx.accepts('json', 'html') === 'json') {
    if (databaseProblem) replyUnavailable(ctx, databaseProblem);
    else ctx.body = body;
    return;
  }
  const problem = databaseProblem ?? problemOf(ctx, error);
  ctx.redirect(`/authorization?${new URLSearchParams({ problem })}`);
  ctx.status = 303;
};
