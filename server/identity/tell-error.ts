import type { Context } from 'oidc-provider';
import type { ProblemCode } from '../../contract/problem.ts';

/** What cannot go back to the client: a page that says so in words to a person, the error itself (RFC 6749 section 5.2) to a program. */
export const tellError = async (ctx: Context, told: object, error: Error): Promise<void> => {
  if (ctx.accepts('json', 'html') === 'json') {
    ctx.body = told;
    return;
  }
  const isLate = error.name === 'SessionNotFound';
  const problem: ProblemCode = isLate ? 'sign-in-expired' : ctx.status >= 500 ? 'internal' : 'invalid-request';
  ctx.redirect(`/authorization?${new URLSearchParams({ problem })}`);
  ctx.status = 303;
};
