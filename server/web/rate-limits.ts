import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from '../domain/problem-error.ts';
import { clientAddress } from './client-address.ts';
import { networkOf } from './network-of.ts';

/**
 * Unauthenticated requests per minute and address. An address may be the router of a whole clinic, so these limits only bound floods;
 * `identity/attempts.ts` limits password guessing.
 */
const perMinute = {
  /** Expensive requests: passwords and codes, e-mails, BankID orders. A hundred workstations renew tokens twenty times a minute. */
  proof: 300,
  /** Polled during sign-in, requested at page load, or by a clinic's directory, which sends a call for each user. */
  poll: 3_000,
  /** Static files, signed thumbnails and profile pictures, the hub handshake. */
  fetch: 60_000,
} as const;

const classes: readonly (readonly [RegExp, keyof typeof perMinute])[] = [
  [/^\/resource\/shared\/open$/, 'proof'],
  [/^\/assets\/|^\/resource\/|^\/api\/Account\/picture\/|^\/health(\/|$)/, 'fetch'],
  [/^\/(api\/Configuration\/welcome|\.well-known\/.*|interaction\/[^/]+\/(bankid\/collect|details))$/, 'poll'],
  [/^\/scim\//, 'poll'],
  [/^\/(api|auth\/api|connect|interaction)\//, 'proof'],
];

/** The most specific prefix first; everything else is a page. */
export const limitOf = (pathname: string): number => {
  const [, name = 'fetch'] = classes.find(([pattern]) => pattern.test(pathname)) ?? [];
  return perMinute[name];
};

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

/**
 * Limits the rate of every route that does not require authentication; others set `config.rateLimit: false`, because they check a token first.
 * Counted per address and kind of request, at each of the nodes that a proxy gives the requests in turn.
 */
export const rateLimits = async (server: FastifyInstance, nodes: () => number): Promise<void> => {
  await server.register(rateLimit, {
    global: true,
    timeWindow: 60_000,
    cache: 20_000,
    max: (request) => Math.ceil(limitOf(pathOf(request)) / nodes()),
    keyGenerator: (request) => `${limitOf(pathOf(request))} ${networkOf(clientAddress(request))}`,
    errorResponseBuilder: () => new ProblemError('too-many-requests'),
  });
};
