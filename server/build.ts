import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { sql } from 'kysely';
import { type AboutDependencies, aboutRoutes } from './about-routes.ts';
import { startKeepingLog } from './access-log/keeping.ts';
import { accessLogRoutes } from './access-log/routes.ts';
import { type Archive, openArchive } from './archive.ts';
import type { Database } from './db/client.ts';
import type { Hub } from './hub/hub.ts';
import { openHub } from './hub/open-hub.ts';
import { authenticator as authenticatorOf } from './identity/authenticate.ts';
import { firstAdministratorOf } from './identity/first-administrator.ts';
import { identityRoutes } from './identity/identity.ts';
import { type IdentitySettings, readIdentitySettings } from './identity/identity-settings.ts';
import { openKeys } from './identity/keys.ts';
import type { ImportSettings } from './imports/import-settings.ts';
import type { Logger } from './log.ts';
import { problemReplies } from './problem-replies.ts';
import type { Binding } from './route-binding.ts';
import { type ObjectStoreConfig, publicOriginOf } from './storage/object-store-config.ts';
import { browserFiles } from './web/browser-files.ts';
import { rateLimits } from './web/rate-limits.ts';
import { securityHeaders } from './web/security-headers.ts';
import { wellFormed } from './web/well-formed.ts';

export interface ServerDependencies extends Pick<AboutDependencies, 'versions' | 'demoAccounts'> {
  readonly database: Database;
  readonly log: Logger;
  /** Where browsers reach the server: the issuer of its tokens. */
  readonly publicUrl: string;
  readonly trustProxy: boolean;
  /** Absolute; images and thumbnails lie below it. */
  readonly dataFolder: string;
  /** What imports take, and how long their leftovers stay; the usual when nobody says otherwise. */
  readonly imports?: ImportSettings;
  /** Most bytes of disk for what is made for the viewer ahead. */
  readonly renditionBytes?: number;
  /** Where browsers may put files for the archive to fetch. */
  readonly objectStore?: ObjectStoreConfig | null;
  /** Letters, BankID, text messages, providers elsewhere; none of them when nobody says otherwise. */
  readonly identity?: IdentitySettings;
  /** How long the access log is kept; at least 5. */
  readonly accessLogYears?: number;
  /** The built web application; null where something else serves it. */
  readonly browserFolder: string | null;
  /** Hold every reply against the contract. */
  readonly checkReplies: boolean;
  readonly hubPingMilliseconds?: number;
}

export interface BuiltServer {
  readonly server: FastifyInstance;
  readonly hub: Hub;
  readonly archive: Archive;
}

/** One line per call, by the route's pattern: neither the query nor an id in the path is written down. */
const callLog = (server: FastifyInstance): void => {
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? '(none)';
    const ms = Math.round(reply.elapsedTime);
    request.log.info({ method: request.method, route, status: reply.statusCode, ms }, 'call');
  });
};

/** Puts the server together: every part is made here, in view, and passed on by hand. Tables must be up to date. */
export const buildServer = async (deps: ServerDependencies): Promise<BuiltServer> => {
  const { database, log, publicUrl, trustProxy, objectStore = null } = deps;
  const { db } = database;
  const server: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy,
    bodyLimit: 1_048_576,
    forceCloseConnections: true,
    rewriteUrl: ({ url = '/' }) => wellFormed(url),
  });
  const keys = await openKeys(db);
  const authenticator = authenticatorOf(db, keys, publicUrl);
  const binding: Binding = { authenticate: authenticator.authenticate, checkReplies: deps.checkReplies };
  const firstAdministrator = firstAdministratorOf(db);

  callLog(server);
  await rateLimits(server);
  problemReplies(server);
  await securityHeaders(server, publicUrl, objectStore && publicOriginOf(objectStore));
  server.get('/health', async () => {
    await sql`select 1`.execute(db);
    return { status: 'ok' };
  });
  const hub = await openHub(server, {
    database,
    authenticate: authenticator.authenticate,
    ...(deps.hubPingMilliseconds === undefined ? {} : { pingMilliseconds: deps.hubPingMilliseconds }),
  });
  const archive = await openArchive({
    db,
    hub,
    dataFolder: deps.dataFolder,
    objectStore,
    ...(deps.imports ?? {}),
    ...(deps.renditionBytes === undefined ? {} : { renditionBytes: deps.renditionBytes }),
    onFailure: (error, about) => log.error({ err: error }, `${about} failed`),
  });
  const identity = await identityRoutes(server, {
    db,
    settings: deps.identity ?? readIdentitySettings({}),
    dataFolder: deps.dataFolder,
    demoAccounts: deps.demoAccounts,
    binding,
    authenticator,
    firstAdministrator,
    keys,
    issuer: publicUrl,
    trustProxy,
  });
  aboutRoutes(server, {
    ...{ binding, firstAdministrator, versions: deps.versions, demoAccounts: deps.demoAccounts },
    ...identity,
  });
  archive.routes(server, binding);
  accessLogRoutes(server, { db, binding, accessLog: archive.accessLog });
  const keepingLog = startKeepingLog({
    ...{ db, years: deps.accessLogYears ?? 10 },
    onSealed: ({ id, hash }) => log.info({ seal: id, hash }, 'access log sealed'),
    onFailure: (error) => log.error({ err: error }, 'access log failed'),
  });
  server.addHook('onClose', keepingLog.close);
  server.addHook('onClose', archive.close);
  await browserFiles(server, deps.browserFolder);
  return { server, hub, archive };
};
