import { type ProblemCode, problem } from '../../contract/problem.ts';
import type { Failure } from './failure.ts';

/** What a status means when something between browser and archive answered in the archive's place. */
const codeOfStatus: Readonly<Record<number, ProblemCode>> = {
  401: 'not-signed-in',
  403: 'no-right',
  404: 'not-found',
  409: 'conflict',
  413: 'too-large',
  429: 'too-many-requests',
};

/** A status of 400 and above with its body as a failure. */
export const refusalOf = (status: number, body: unknown, where: string): Failure => {
  const told = problem.safeParse(body);
  if (told.success) {
    const { code, errors = [], claims } = told.data;
    return { kind: 'refused', status, code, errors, ...(claims && { claims }) };
  }
  const code = status >= 500 ? 'internal' : codeOfStatus[status];
  return code ? { kind: 'refused', status, code, errors: [] } : { kind: 'drift', where };
};
