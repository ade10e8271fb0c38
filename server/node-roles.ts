import type { FastifyInstance } from 'fastify';
import type { NodeRoles } from '../contract/system-status.ts';
import { ProblemError } from './domain/problem-error.ts';

const isHealth = (url: string): boolean => /^\/health(\/|\?|$)/.test(url);

/** A node that only works answers nothing but the requests of load balancers and monitoring. */
export const closeRoutes = (server: FastifyInstance, roles: NodeRoles): void => {
  if (roles !== 'work') return;
  server.addHook('onRequest', async ({ url }) => {
    if (!isHealth(url)) throw new ProblemError('not-found');
  });
};
