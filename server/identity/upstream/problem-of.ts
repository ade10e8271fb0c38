import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import type { ProblemCode } from '../../../contract/problem.ts';
import { databaseProblemOf } from '../../db/database-problem.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { isUnreachable } from './discovery.ts';

/** Errors of the exchange itself, not of what the provider asserts. */
const transportErrors = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** Returns the problem code of a failed external sign-in, for the error page. */
export const problemOf = (error: unknown): ProblemCode => {
  if (error instanceof ProblemError) return error.code;
  const databaseProblem = databaseProblemOf(error);
  if (databaseProblem) return databaseProblem;
  if (error instanceof AuthorizationResponseError)
    return error.error === 'access_denied' ? 'sign-in-cancelled' : 'method-away';
  // The code was used or has expired; other errors (such as a wrong secret) concern the configuration.
  if (error instanceof ResponseBodyError) return error.error === 'invalid_grant' ? 'sign-in-expired' : 'method-away';
  if (isUnreachable(error) || (error instanceof ClientError && transportErrors.has(error.code ?? '')))
    return 'method-away';
  return error instanceof ClientError ? 'sign-in-not-verified' : 'internal';
};

/** Returns kind and code for the log. Messages and causes may quote a token, which contains personal data. */
export const errorSummaryOf = (error: unknown): Readonly<Record<string, string>> => {
  const kind = error instanceof Error ? error.name : typeof error;
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return { kind, fault: error.error.replace(/[^\w-]/g, '').slice(0, 60) };
  return error instanceof ClientError ? { kind, fault: error.code ?? '' } : { kind };
};
