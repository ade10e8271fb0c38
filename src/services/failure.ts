import type { PasskeyRequest, SecondFactorKind } from '../../contract/passkey-messages.ts';
import type { ErrorItem, ProblemCode } from '../../contract/problem.ts';
import type { SessionEndReason } from '../../contract/sign-in.ts';

/** What a user can sign in with after the password, beside a recovery code. */
export interface SecondFactors {
  readonly factors: readonly SecondFactorKind[];
  /** Options of the browser's call for a passkey; null without one. */
  readonly passkey: PasskeyRequest | null;
}

/**
 * Every way in which a call to the archive can fail. `offline`: no reply. `refused`: an error reply with a code. `drift`: a reply that
 * breaks the contract (a bug, never retried). `unexpected`: anything else.
 */
export type Failure =
  | { readonly kind: 'offline' }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: ProblemCode;
      readonly errors: readonly ErrorItem[];
      /** With `no-right`: one of these claims is required. */
      readonly claims?: readonly string[];
      /** Names the request in the server's log. */
      readonly requestId?: string;
      /** With `not-signed-in`: why the archive ended the session. */
      readonly sessionEnd?: SessionEndReason;
      /** After the correct password: the second factors of the account. */
      readonly secondFactors?: SecondFactors;
      /** From the header Retry-After. */
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'drift'; readonly where: string }
  | { readonly kind: 'unexpected' };

/** The only error that a service throws. The message is for developers; views show `failure`. */
export class ServiceError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.kind === 'refused' ? `refused: ${failure.status} ${failure.code}` : failure.kind, options);
    this.name = 'ServiceError';
    this.failure = failure;
  }
}

/** Returns the failure of a ServiceError, else `unexpected`. */
export const failureOf = (error: unknown): Failure =>
  error instanceof ServiceError ? error.failure : { kind: 'unexpected' };

export const hasProblemCode = (failure: Failure | null, code: ProblemCode): boolean =>
  failure?.kind === 'refused' && failure.code === code;

/** Returns whether the same call may succeed later: after a network or server error, or when the session is unlocked. */
export const isWorthRetrying = (failure: Failure | null): boolean =>
  failure?.kind === 'offline' ||
  hasProblemCode(failure, 'session-locked') ||
  (failure?.kind === 'refused' && failure.status >= 500);

/** Returns whether the archive replied that its database is unavailable. */
export const isDatabaseUnavailable = (failure: Failure | null): boolean =>
  hasProblemCode(failure, 'database-unavailable');

/** Returns whether the archive is unavailable: no reply, an error of a proxy, the database or the storage, or a locked session. */
export const isArchiveUnavailable = (failure: Failure | null): boolean =>
  failure?.kind === 'offline' ||
  isDatabaseUnavailable(failure) ||
  hasProblemCode(failure, 'session-locked') ||
  hasProblemCode(failure, 'storage-unavailable') ||
  (hasProblemCode(failure, 'internal') && failure?.kind === 'refused' && [502, 503, 504].includes(failure.status));

/** Why an upload waits: the archive cannot be reached, or its disk is full. */
export type WaitReason = 'connection' | 'disk-space';

/** Returns what must change before the same call can succeed; null when there is nothing to wait for. */
export const waitReasonOf = (failure: Failure): WaitReason | null => {
  if (hasProblemCode(failure, 'storage-full')) return 'disk-space';
  return isArchiveUnavailable(failure) ? 'connection' : null;
};
