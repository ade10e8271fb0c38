import type { FastifyInstance } from 'fastify';
import type { ResourceDependencies } from '../dependencies.ts';
import { dicomWebBulkDataRoutes } from './bulk-data-routes.ts';
import { capabilitiesRoutes } from './capabilities-routes.ts';
import { allowOrigins } from './cross-origin.ts';
import { dicomWebFrameRoutes } from './frame-routes.ts';
import { dicomWebInstanceRoutes } from './instance-routes.ts';
import { dicomWebMetadataRoutes } from './metadata-routes.ts';
import { dicomWebRenderedRoutes } from './rendered-routes.ts';
import { dicomWebSearchRoutes } from './search-routes.ts';
import { dicomWebStoreRoutes } from './store-routes.ts';
import { dicomWebUriRoutes } from './uri-routes.ts';

/** Registers the services of DICOMweb (PS3.18): search, retrieval and storing. */
export const dicomWebRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  void server.register(async (scope) => {
    allowOrigins(scope, deps.dicomWeb.origins);
    capabilitiesRoutes(scope, deps);
    dicomWebSearchRoutes(scope, deps);
    dicomWebInstanceRoutes(scope, deps);
    dicomWebMetadataRoutes(scope, deps);
    dicomWebFrameRoutes(scope, deps);
    dicomWebRenderedRoutes(scope, deps);
    dicomWebUriRoutes(scope, deps);
    dicomWebBulkDataRoutes(scope, deps);
    dicomWebStoreRoutes(scope, deps);
  });
};
