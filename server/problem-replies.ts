import type { FastifyError, FastifyInstance } from 'fastify';
import type { Problem, ProblemCode } from '../contract/problem.ts';
import type { NoteRefusal } from './access-log/refused-calls.ts';
import { databaseProblemOf } from './db/database-problem.ts';
import { ProblemError } from './domain/problem-error.ts';
import { StorageError, type StorageErrorCode } from './storage/file-store.ts';

const statuses: Readonly<Record<ProblemCode, number>> = {
  'not-signed-in': 401,
  'session-locked': 403,
  'two-factor-needed': 403,
  'no-right': 403,
  'not-found': 404,
  'invalid-request': 400,
  'not-acceptable': 406,
  'too-large': 413,
  'too-many-files': 422,
  'too-deep': 422,
  'too-many-requests': 429,
  conflict: 409,
  'order-not-scheduled': 409,
  'email-taken': 409,
  'device-taken': 409,
  'user-not-found': 404,
  'incorrect-login': 400,
  'incorrect-password': 400,
  'account-inactive': 403,
  'link-expired': 410,
  'shared-link-invalid': 404,
  'sharing-off': 409,
  'code-needed': 400,
  'incorrect-code': 400,
  'incorrect-passkey': 400,
  'passkey-unavailable': 409,
  'incorrect-bankid': 400,
  'incorrect-pin': 400,
  'pin-unavailable': 409,
  'proof-needed': 400,
  'sign-in-expired': 410,
  'sign-in-cancelled': 400,
  'sign-in-not-verified': 403,
  'no-account': 403,
  'method-away': 503,
  'method-not-offered': 404,
  'cannot-send-email': 503,
  'mail-not-configured': 409,
  'personal-number-taken': 409,
  'image-of-another-patient': 409,
  'study-of-another-patient': 409,
  'import-not-found': 404,
  'import-wrong-step': 409,
  'nothing-to-import': 409,
  'mismatch-not-confirmed': 409,
  'image-has-no-pixels': 422,
  'image-not-readable': 422,
  'image-damaged': 422,
  'image-missing': 422,
  'object-store-away': 503,
  'own-account': 409,
  'own-clinic': 409,
  'restore-expired': 409,
  'retention-not-ended': 409,
  'own-proposal': 409,
  'own-rank': 403,
  'own-role': 409,
  'last-super-administrator': 409,
  'cannot-move-user': 409,
  'role-name-taken': 409,
  'role-built-in': 409,
  'role-in-use': 409,
  'picture-not-readable': 422,
  'database-unavailable': 503,
  'storage-unavailable': 503,
  'storage-full': 507,
  internal: 500,
};

/** Maps a status of the web server itself (body too large, invalid JSON) to a problem code. */
const codeOfStatus = (status: number): ProblemCode => {
  if (status === 413) return 'too-large';
  if (status === 429) return 'too-many-requests';
  if (status === 404) return 'not-found';
  return status >= 400 && status < 500 ? 'invalid-request' : 'internal';
};

/** Conditions of the installation that end without a change of the request. */
const passing: ReadonlySet<ProblemCode> = new Set(['database-unavailable', 'storage-unavailable', 'storage-full']);

/** Retry-After in seconds of `passing` problems. */
export const retryAfterSeconds = 2;

const codesOfFaults: Partial<Record<StorageErrorCode, ProblemCode>> = {
  damaged: 'image-damaged',
  missing: 'image-missing',
  away: 'storage-unavailable',
  full: 'storage-full',
};

const problemOf = (error: FastifyError | ProblemError | StorageError): { status: number; problem: Problem } => {
  if (error instanceof ProblemError) {
    const { code, errors, claims } = error;
    const problem = { code, ...(errors && { errors: [...errors] }), ...(claims && { claims: [...claims] }) };
    return { status: statuses[code], problem };
  }
  const databaseProblem = databaseProblemOf(error);
  if (databaseProblem) return { status: statuses[databaseProblem], problem: { code: databaseProblem } };
  if (error instanceof StorageError) {
    const code = codesOfFaults[error.code] ?? 'internal';
    return { status: statuses[code], problem: { code } };
  }
  const status = error.statusCode ?? 500;
  const code = codeOfStatus(status);
  return { status: code === 'internal' ? 500 : status, problem: { code } };
};

/** Converts every error to a reply. Details of 5xx errors are logged, never sent; refused calls are in the access log before the reply. */
export const problemReplies = (server: FastifyInstance, noteRefusal: NoteRefusal): void => {
  server.setErrorHandler(async (error: FastifyError | ProblemError | StorageError, request, reply) => {
    const { status, problem } = problemOf(error);
    if (passing.has(problem.code)) {
      reply.header('retry-after', retryAfterSeconds);
      request.log.warn({ err: error.cause ?? error }, `call failed: ${problem.code}`);
    } else if (status >= 500) request.log.error({ err: error }, 'call failed');
    await noteRefusal(request, status, problem.code);
    // RFC 6750 section 3.1: a call without a token gets no error code.
    if (status === 401)
      reply.header('www-authenticate', request.headers.authorization ? 'Bearer error="invalid_token"' : 'Bearer');
    return reply.code(status).send({ ...problem, requestId: request.id } satisfies Problem);
  });
};
