import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { ProblemCode } from '../../contract/problem.ts';
import type { Schema } from '../db/schema.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { principalOf } from '../route-binding.ts';
import { clientAddress } from '../web/client-address.ts';
import { createAccessLog } from './access-log.ts';

/** Logs an error reply to a signed-in user if it refused access; the reply does not depend on the result. */
export type NoteRefusal = (request: FastifyRequest, status: number, code: ProblemCode) => Promise<void>;

/** No right, not at this clinic (or not at all), too often. */
const refusals: readonly number[] = [403, 404, 429];
const tooMany = 429;

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns the first id that a call names in its path, query or body. */
const idIn = ({ params, query, body }: FastifyRequest): string | null => {
  const values = [params, query, body].flatMap((part) => (part && typeof part === 'object' ? Object.values(part) : []));
  return values.find((value): value is string => typeof value === 'string' && uuid.test(value)) ?? null;
};

const floodMs = 60_000;
const maxAddresses = 10_000;

/** Returns whether an address was seen within the last minute, so that a flood does not fill the log. */
export const createRepetitions = () => {
  const lastAt = new Map<string, number>();
  return (address: string): boolean => {
    const now = Date.now();
    if (now - (lastAt.get(address) ?? Number.NEGATIVE_INFINITY) < floodMs) return true;
    if (lastAt.size >= maxAddresses) lastAt.clear();
    lastAt.set(address, now);
    return false;
  };
};

/**
 * Writes refused calls to the access log: every one of a signed-in user, and too many requests of an address once a minute. An entry names what was
 * asked for by its id, and no patient, whose clinic may be another one.
 */
export const logRefusedCalls = (server: FastifyInstance, db: Kysely<Schema>): NoteRefusal => {
  const log = createAccessLog(db);
  const isRepeated = createRepetitions();

  const note = async (request: FastifyRequest, principal: Principal | undefined, code: ProblemCode): Promise<void> => {
    const { method, routeOptions } = request;
    const entry = {
      accountId: principal?.accountId ?? null,
      customerId: principal?.customerId ?? null,
      patientId: null,
      action: 'access.refused' as const,
      objectId: idIn(request),
      detail: code,
      address: clientAddress(request),
      request: `${method} ${routeOptions.url ?? ''}`,
    };
    await log.note(entry).catch((error) => request.log.error({ err: error }, 'a refused call was not logged'));
  };

  // The OpenID provider replies itself, so that its refusals pass no error handler.
  server.addHook('onResponse', async (request, { statusCode }) => {
    if (statusCode !== tooMany || principalOf(request) || isRepeated(clientAddress(request))) return;
    await note(request, undefined, 'too-many-requests');
  });

  return async (request, status, code) => {
    const principal = principalOf(request);
    if (principal && refusals.includes(status)) await note(request, principal, code);
  };
};
