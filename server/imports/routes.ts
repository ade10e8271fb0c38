import type { FastifyInstance } from 'fastify';
import { awsRoutes } from './aws/routes.ts';
import type { ImportDependencies } from './dependencies.ts';
import { ledgerRoutes } from './ledger/routes.ts';
import { uploadRoutes } from './receive/routes.ts';

/** Registers all import routes. */
export const importRoutes = (server: FastifyInstance, deps: ImportDependencies): void => {
  ledgerRoutes(server, deps);
  deps.fileThumbnails.routes(server, deps.binding);
  uploadRoutes(server, deps);
  awsRoutes(server, deps);
};
