import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Histogram, type Registry } from 'prom-client';
import { hubPath } from '../../contract/hub.ts';

const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Pages and unknown paths share one label, and so do the hashed files of the web application. */
const routeOf = (request: FastifyRequest): string => {
  const route = request.routeOptions.url ?? '(none)';
  return route.startsWith('/assets/') ? '/assets/*' : route;
};

/** Measures every call by the pattern of its route, never by its path. */
export const measureCalls = (registry: Registry, server: FastifyInstance): void => {
  const duration = new Histogram({
    name: 'dentarium_http_request_duration_seconds',
    help: 'Calls and their duration; without connections to the hub, which stay open',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  server.addHook('onResponse', async (request, reply) => {
    const route = routeOf(request);
    if (route === hubPath && request.method === 'GET') return;
    const method = methods.includes(request.method) ? request.method : '(other)';
    duration.observe({ method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1_000);
  });
};
