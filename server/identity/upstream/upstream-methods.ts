import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { Interactions } from '../interactions.ts';
import type { Methods } from '../methods.ts';
import { openAuthorizationStates } from './authorization-states.ts';
import { openDiscovery } from './discovery.ts';
import { upstreamRoutes } from './upstream-routes.ts';
import type { UpstreamSettings } from './upstream-settings.ts';
import { openUpstreams } from './upstreams.ts';

export interface UpstreamDependencies {
  readonly db: Kysely<Schema>;
  readonly settings: UpstreamSettings;
  readonly interactions: Interactions;
  readonly log: IdentityLog;
  /** Public URL of the archive. */
  readonly publicUrl: string;
}

/** Sign-in by SITHS, Azure AD and the clinic's own OpenID provider. */
export const upstreamMethods = (deps: UpstreamDependencies): Methods => {
  const { db, settings, ...rest } = deps;
  const upstreams = openUpstreams(db, settings);
  return {
    offered: upstreams.offered,
    routes: (server) =>
      upstreamRoutes(server, {
        ...rest,
        db,
        upstreams,
        discovery: openDiscovery(),
        states: openAuthorizationStates(db),
      }),
  };
};
