import type { ErrorItem, ProblemCode } from '../contract/problem.ts';

/** A rule says no. `problem-replies.ts` turns it into the reply. Never carries patient data. */
export class Refusal extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly ErrorItem[] | undefined;

  constructor(code: ProblemCode, errors?: readonly ErrorItem[]) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.errors = errors;
  }
}
