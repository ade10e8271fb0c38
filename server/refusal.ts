import type { Claim } from '../contract/claims.ts';
import type { ErrorItem, ProblemCode } from '../contract/problem.ts';

/** A rule says no. `problem-replies.ts` turns it into the reply. Never carries patient data. */
export class Refusal extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly ErrorItem[] | undefined;

  /** Of `no-right`: claims of which one would do, or the limit (`disable.*`) that stands in the way. */
  readonly claims: readonly Claim[] | undefined;

  constructor(code: ProblemCode, errors?: readonly ErrorItem[], claims?: readonly Claim[]) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.errors = errors;
    this.claims = claims;
  }
}

/** The right is missing; `claims`: those of which one would do, or the limit (`disable.*`) that takes it away. */
export const withoutRight = (...claims: readonly Claim[]): Refusal =>
  new Refusal('no-right', undefined, claims.length > 0 ? claims : undefined);
