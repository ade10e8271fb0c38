import type { FastifyInstance } from 'fastify';

/** Logs one line per request with the route pattern; never the query or path parameters. */
export const callLog = (server: FastifyInstance): void => {
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? '(none)';
    const ms = Math.round(reply.elapsedTime);
    request.log.info({ method: request.method, route, status: reply.statusCode, ms }, 'call');
  });
};
