import { type ProblemCode, problem } from '../../contract/problem.ts';
import type { Failure } from './failure.ts';

/** Codes for replies of a proxy instead of the archive. */
const codeOfStatus: Readonly<Record<number, ProblemCode>> = {
  401: 'not-signed-in',
  403: 'no-right',
  404: 'not-found',
  409: 'conflict',
  413: 'too-large',
  429: 'too-many-requests',
};

/** Returns the failure for a status of 400 or above. */
export const failureOfResponse = (status: number, body: unknown, where: string): Failure => {
  const parsed = problem.safeParse(body);
  if (parsed.success) {
    const { code, errors = [], claims, requestId } = parsed.data;
    return { kind: 'refused', status, code, errors, ...(claims && { claims }), ...(requestId && { requestId }) };
  }
  const code = status >= 500 ? 'internal' : codeOfStatus[status];
  return code ? { kind: 'refused', status, code, errors: [] } : { kind: 'drift', where };
};
