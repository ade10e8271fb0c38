import type { FastifyInstance } from 'fastify';
import type { ResourceDependencies } from './dependencies.ts';
import { imageRoutes } from './image-routes.ts';
import { patientRoutes } from './patient-routes.ts';
import { renditionRoutes } from './rendition-routes.ts';
import { studyRoutes } from './study-routes.ts';
import { viewsetRoutes } from './viewset-routes.ts';

/** Patients, studies, viewsets, templates and images, as the contract states them. */
export const resourceRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  patientRoutes(server, deps);
  studyRoutes(server, deps);
  viewsetRoutes(server, deps);
  imageRoutes(server, deps);
  renditionRoutes(server, deps);
};
