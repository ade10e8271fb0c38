import type { Claim } from '../../contract/claims.ts';
import type { ErrorItem, ProblemCode } from '../../contract/problem.ts';

/** An expected error with a problem code, turned into a reply by `problem-replies.ts`. Never contains patient data. */
export class ProblemError extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly ErrorItem[] | undefined;

  /** For `no-right`: the claims of which one is required, or the restriction (`disable.*`) that applies. */
  readonly claims: readonly Claim[] | undefined;

  constructor(code: ProblemCode, errors?: readonly ErrorItem[], claims?: readonly Claim[]) {
    super(code);
    this.name = 'ProblemError';
    this.code = code;
    this.errors = errors;
    this.claims = claims;
  }
}

/** Creates a `no-right` error; `claims`: those of which one is required, or the restriction (`disable.*`) that applies. */
export const noRightError = (...claims: readonly Claim[]): ProblemError =>
  new ProblemError('no-right', undefined, claims.length > 0 ? claims : undefined);
