import type { FastifyInstance } from 'fastify';

/** Headers of replies that pages on other origins may read. */
const exposed = 'Content-Range, ETag, Location, Retry-After, Warning, X-Request-Id';

/** Lets pages of these origins call the routes of a scope (Fetch, CORS protocol). Tokens are in a header, never in a cookie. */
export const allowOrigins = (scope: FastifyInstance, origins: readonly string[]): void => {
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return;
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposed,
      'cross-origin-resource-policy': 'cross-origin',
    });
  });
};
