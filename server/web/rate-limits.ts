import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';

/**
 * Calls a minute that one address may make without saying who it is. An address may stand for a whole clinic behind one router, so these bound
 * what a flood costs; guessing is bounded by account and by address in `identity/attempts.ts`.
 */
const perMinute = {
  /** Work that costs: passwords and codes, letters, orders at BankID. A hundred workstations renew twenty times a minute. */
  proof: 300,
  /** Asked again and again while somebody signs in, and when a page begins. */
  ask: 3_000,
  /** Files of the page, signed thumbnails and pictures of people, the hub's handshake. */
  fetch: 60_000,
} as const;

const classes: readonly (readonly [RegExp, keyof typeof perMinute])[] = [
  [/^\/assets\/|^\/resource\/|^\/api\/Account\/picture\/|^\/health$/, 'fetch'],
  [/^\/(api\/Configuration\/welcome|\.well-known\/.*|interaction\/[^/]+\/(bankid\/collect|details))$/, 'ask'],
  [/^\/(api|auth\/api|connect|interaction)\//, 'proof'],
];

/** The most specific first; what is no service is a page. */
export const limitOf = (pathname: string): number => {
  const [, name = 'fetch'] = classes.find(([pattern]) => pattern.test(pathname)) ?? [];
  return perMinute[name];
};

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

/**
 * Bounds every route that somebody may call who is not signed in: all but those that say `config.rateLimit: false`, which are the ones that ask for
 * a token first. Counted on each node by itself, by address and kind of call.
 */
export const rateLimits = async (server: FastifyInstance): Promise<void> => {
  await server.register(rateLimit, {
    global: true,
    timeWindow: 60_000,
    cache: 20_000,
    max: (request) => limitOf(pathOf(request)),
    keyGenerator: (request) => `${limitOf(pathOf(request))} ${request.ip}`,
    errorResponseBuilder: () => new Refusal('too-many-requests'),
  });
};
