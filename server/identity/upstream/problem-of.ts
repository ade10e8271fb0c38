import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import type { ProblemCode } from '../../../contract/problem.ts';
import { Refusal } from '../../refusal.ts';
import { isAway } from './discovery.ts';

/** Faults of how a provider answers at all, not of what it vouches for. */
const ofTheLine = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** What went wrong at a provider elsewhere, as the page tells it. */
export const problemOf = (error: unknown): ProblemCode => {
  if (error instanceof Refusal) return error.code;
  if (error instanceof AuthorizationResponseError)
    return error.error === 'access_denied' ? 'sign-in-cancelled' : 'method-away';
  // A code that is used up or too old; all else (a secret that is wrong, say) is between the archive and the provider.
  if (error instanceof ResponseBodyError) return error.error === 'invalid_grant' ? 'sign-in-expired' : 'method-away';
  if (isAway(error) || (error instanceof ClientError && ofTheLine.has(error.code ?? ''))) return 'method-away';
  return error instanceof ClientError ? 'sign-in-not-verified' : 'internal';
};

/** The same for the log: kinds and codes only. Messages and causes may quote a token, and a token names a person. */
export const faultOf = (error: unknown): Readonly<Record<string, string>> => {
  const kind = error instanceof Error ? error.name : typeof error;
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return { kind, fault: error.error.replace(/[^\w-]/g, '').slice(0, 60) };
  return error instanceof ClientError ? { kind, fault: error.code ?? '' } : { kind };
};
