import type { FastifyInstance } from 'fastify';
import { binRoutes } from './bin-routes.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { displayRoutes } from './display-routes.ts';
import { downloadRoutes } from './download-routes.ts';
import { galleryRoutes } from './gallery-routes.ts';
import { imageEditRoutes } from './image-edit-routes.ts';
import { imageRoutes } from './image-routes.ts';
import { mergeRoutes } from './merge-routes.ts';
import { patientRoutes } from './patient-routes.ts';
import { patientSearchRoutes } from './patient-search-routes.ts';
import { renditionRoutes } from './rendition-routes.ts';
import { studyRoutes } from './study-routes.ts';
import { studySearchRoutes } from './study-search-routes.ts';
import { templateRoutes } from './template-routes.ts';
import { viewsetCreateRoute } from './viewset-create-route.ts';
import { viewsetMountRoutes } from './viewset-mount-routes.ts';
import { viewsetRoutes } from './viewset-routes.ts';

/** Patients, studies, viewsets, templates and images, as the contract states them. */
export const resourceRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  patientRoutes(server, deps);
  patientSearchRoutes(server, deps);
  studyRoutes(server, deps);
  binRoutes(server, deps);
  mergeRoutes(server, deps);
  studySearchRoutes(server, deps);
  viewsetRoutes(server, deps);
  viewsetCreateRoute(server, deps);
  viewsetMountRoutes(server, deps);
  displayRoutes(server, deps);
  templateRoutes(server, deps);
  imageRoutes(server, deps);
  imageEditRoutes(server, deps);
  renditionRoutes(server, deps);
  galleryRoutes(server, deps);
  downloadRoutes(server, deps);
};
