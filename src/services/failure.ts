import type { ErrorItem, ProblemCode } from '../../contract/problem.ts';

/**
 * Every way in which a call to the archive can fail. `offline`: no answer came. `refused`: the archive said no, with a code.
 * `drift`: an answer that breaks the contract, our own bug, never worth a second try. `unexpected`: anything else.
 */
export type Failure =
  | { readonly kind: 'offline' }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: ProblemCode;
      readonly errors: readonly ErrorItem[];
      /** Of `no-right`: claims of which one would do. */
      readonly claims?: readonly string[];
    }
  | { readonly kind: 'drift'; readonly where: string }
  | { readonly kind: 'unexpected' };

/** The only error that a service throws. Its message is for a developer; people are told by `failure`. */
export class ServiceError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.kind === 'refused' ? `refused: ${failure.status} ${failure.code}` : failure.kind, options);
    this.name = 'ServiceError';
    this.failure = failure;
  }
}

/** What an error means: the failure that a service named, or `unexpected`. */
export const failureOf = (error: unknown): Failure =>
  error instanceof ServiceError ? error.failure : { kind: 'unexpected' };

export const isRefusedAs = (failure: Failure | null, code: ProblemCode): boolean =>
  failure?.kind === 'refused' && failure.code === code;

/** May the same call succeed later? A refusal by rule stays a refusal; so does a reply that breaks the contract. */
export const isWorthRetrying = (failure: Failure | null): boolean =>
  failure?.kind === 'offline' || (failure?.kind === 'refused' && failure.status >= 500);

/** Nobody answered, or only what stands before the archive. Says nothing about the call: it waits. */
export const isAway = (failure: Failure | null): boolean =>
  failure?.kind === 'offline' ||
  (isRefusedAs(failure, 'internal') && failure?.kind === 'refused' && [502, 503, 504].includes(failure.status));
