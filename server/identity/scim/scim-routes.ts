import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { uuid } from '../../../contract/bounds.ts';
import type { Schema } from '../../db/schema.ts';
import { directoryTokenBy, noteDirectoryUse } from '../../db/stores/directory-store.ts';
import { identityLog } from '../identity-log.ts';
import type { Directory } from './directory-step.ts';
import { discoveryCalls } from './discovery-calls.ts';
import { groupCalls } from './group-calls.ts';
import { notFound, type ScimCall, type ScimHandlers, type ScimReply } from './scim-call.ts';
import { errorBody, ScimError, scimErrorOf } from './scim-error.ts';
import { type Invite, userCalls } from './user-calls.ts';

interface ScimDependencies {
  readonly db: Kysely<Schema>;
  /** Public URL. */
  readonly issuer: string;
  readonly invite: Invite;
}

const scimPath = '/scim/v2';
const mediaType = 'application/scim+json';

const directories = new WeakMap<FastifyRequest, Directory>();
const paramsOf = (request: FastifyRequest) => request.params as Readonly<Record<string, string | undefined>>;

/** @throws ScimError of status 401 */
const directoryOf = (request: FastifyRequest): Directory => {
  const directory = directories.get(request);
  if (!directory) throw new ScimError(401, 'The token is missing, expired, revoked or of another clinic');
  return directory;
};

const authenticateBy = (db: Kysely<Schema>) => async (request: FastifyRequest) => {
  const [, secret] = /^Bearer ([\w-]{20,200})$/i.exec(request.headers.authorization ?? '') ?? [];
  const token = secret === undefined ? undefined : await directoryTokenBy(db, secret);
  // For the caller, a token of another clinic is as good as none.
  if (token?.customerId === paramsOf(request).clinic?.toLowerCase() && token) directories.set(request, token);
  await noteDirectoryUse(db, directoryOf(request).id);
};

const callOf = (request: FastifyRequest, issuer: string): ScimCall => {
  const directory = directoryOf(request);
  const { id, name } = paramsOf(request);
  const parsed = uuid.safeParse(id);
  if (id !== undefined && !parsed.success) throw notFound();
  const { query, body } = request;
  return { directory, base: `${issuer}${scimPath}/${directory.customerId}`, id: parsed.data ?? '', name, query, body };
};

/** Writes a call to the access log of the clinic. */
const noteBy =
  (db: Kysely<Schema>) =>
  async (request: FastifyRequest, action: 'read' | 'refused', status: number): Promise<void> => {
    const { name, customerId } = directoryOf(request);
    const objectId = uuid.safeParse(paramsOf(request).id).data;
    const path = request.routeOptions.url?.replace(`${scimPath}/:clinic`, '') ?? '';
    await identityLog(db).noteOfOperator({
      action: `directory.${action}`,
      customerId,
      ...(objectId !== undefined && { objectId }),
      detail: `${name}: ${request.method} ${path} ${status}`,
    });
  };

const send = (reply: FastifyReply, { status = 200, body, location }: ScimReply) => {
  if (location !== undefined) reply.header('location', location);
  return reply
    .code(status)
    .type(mediaType)
    .send(body === undefined ? undefined : JSON.stringify(body));
};

/** Registers the SCIM service of the clinics (RFC 7643 and 7644). Each call needs a token of the clinic and has an entry in its access log. */
export const scimRoutes = (server: FastifyInstance, { db, issuer, invite }: ScimDependencies): void => {
  const handlers: ScimHandlers = { ...discoveryCalls, ...userCalls(db, invite), ...groupCalls(db) };
  const note = noteBy(db);

  const routes = async (scope: FastifyInstance): Promise<void> => {
    scope.addContentTypeParser(mediaType, { parseAs: 'string' }, scope.getDefaultJsonParser('error', 'error'));
    scope.addHook('onRequest', authenticateBy(db));
    scope.setErrorHandler(async (error, request, reply) => {
      const reported = scimErrorOf(error);
      const { status } = reported;
      if (status >= 500) request.log.error({ err: error }, 'call of a directory failed');
      else if (directories.has(request)) await note(request, 'refused', status);
      if (status === 401) reply.header('www-authenticate', 'Bearer');
      return send(reply, { status, body: errorBody(reported) });
    });
    for (const [route, handler] of Object.entries(handlers)) {
      const [method = '', url = ''] = route.split(' ');
      scope.route({
        method,
        url,
        handler: async (request, reply) => {
          const answer = await handler(callOf(request, issuer));
          // The functions that change users write entries of their own.
          if (method === 'GET' || url.endsWith('/.search')) await note(request, 'read', 200);
          return send(reply, answer);
        },
      });
    }
    scope.all('/*', async () => {
      throw notFound();
    });
  };
  void server.register(routes, { prefix: `${scimPath}/:clinic` });
};
