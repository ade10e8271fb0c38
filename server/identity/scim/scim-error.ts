import type { ProblemCode } from '../../../contract/problem.ts';
import { databaseProblemOf } from '../../db/database-problem.ts';
import { ProblemError } from '../../domain/problem-error.ts';

export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness';

/** An error reply of RFC 7644 section 3.12. The detail names attributes, never their values. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.name = 'ScimError';
    this.status = status;
    this.scimType = scimType;
  }
}

export const invalidValue = (detail: string): ScimError => new ScimError(400, detail, 'invalidValue');

const notAllowed = 'The directory acts as a clinic administrator and may not change this user or give this role';
const ofProblems: Partial<Record<ProblemCode, readonly [status: number, detail: string, type?: ScimType]>> = {
  'own-rank': [403, notAllowed],
  'no-right': [403, notAllowed],
  'email-taken': [409, 'Another user has this e-mail address', 'uniqueness'],
  'user-not-found': [404, 'No such user'],
  'not-found': [404, 'Not found'],
  conflict: [409, 'The user was changed at the same time'],
  'too-many-requests': [429, 'Too many requests'],
  'invalid-request': [400, 'Invalid value', 'invalidValue'],
};

/** Fastify's own errors: too large, no JSON, an unknown media type. */
const ofServer = (error: unknown): ScimError | null => {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (!(status >= 400 && status < 500)) return null;
  return new ScimError(status, 'The request cannot be read', status === 400 ? 'invalidSyntax' : undefined);
};

/** Returns what to reply for any error; a status of 500 for one that is not expected. */
export const scimErrorOf = (error: unknown): ScimError => {
  if (error instanceof ScimError) return error;
  if (error instanceof ProblemError) {
    const [status, detail, type] = ofProblems[error.code] ?? [500, 'Internal error'];
    return new ScimError(status, detail, type);
  }
  if (databaseProblemOf(error)) return new ScimError(503, 'The archive is not available at the moment');
  return ofServer(error) ?? new ScimError(500, 'Internal error');
};

export const errorBody = ({ status, message, scimType }: ScimError) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType && { scimType }),
  detail: message,
});
