import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { uuid } from '../../../contract/bounds.ts';
import type { Role } from '../../../contract/roles.ts';
import type { Schema } from '../../db/schema.ts';
import { directoryTokenBy, noteDirectoryUse } from '../../db/stores/directory-store.ts';
import { type EmployeeRow, employeesOfClinic } from '../../db/stores/employee-store.ts';
import { allRoles, builtInRole } from '../../db/stores/role-store.ts';
import { identityLog } from '../identity-log.ts';
import { type Directory, userOfDirectory } from './directory-step.ts';
import { changeMembers } from './group-changes.ts';
import { operationsIn, resourceIn } from './scim-body.ts';
import { errorBody, ScimError, scimErrorOf } from './scim-error.ts';
import { groupPatch, groupResource, memberState, parseMembers } from './scim-group.ts';
import { listOf, projectionOf } from './scim-list.ts';
import { patched } from './scim-patch.ts';
import { providerConfigOf, resourceTypesOf, schemasOf } from './scim-schemas.ts';
import { parseUser, rolesOfDirectory, stateOf, userPatch, userResource } from './scim-user.ts';
import { directoryUsers } from './user-changes.ts';

export interface ScimDependencies {
  readonly db: Kysely<Schema>;
  /** Public URL. */
  readonly issuer: string;
  /** Invites a new user, if the clinic wants it. */
  readonly invite: (user: EmployeeRow, language: string) => Promise<void>;
}

export const scimPath = '/scim/v2';
const mediaType = 'application/scim+json';

interface ScimCall {
  readonly directory: Directory;
  /** Address of the clinic's SCIM service. */
  readonly base: string;
  readonly id: string;
  readonly request: FastifyRequest;
}

interface ScimReply {
  readonly status?: number;
  readonly body?: unknown;
  readonly location?: string;
}

const directories = new WeakMap<FastifyRequest, Directory>();
const paramsOf = (request: FastifyRequest) => request.params as Readonly<Record<string, string | undefined>>;

/** Registers the SCIM service of the clinics (RFC 7643 and 7644). Each call needs a token of the clinic and has an entry in its access log. */
export const scimRoutes = (server: FastifyInstance, { db, issuer, invite }: ScimDependencies): void => {
  const notFound = () => new ScimError(404, 'Not found');
  const idIn = (request: FastifyRequest) => {
    const id = uuid.safeParse(paramsOf(request).id);
    if (!id.success) throw notFound();
    return id.data;
  };

  /** @throws ScimError of status 401, also for a token of another clinic */
  const authenticate = async (request: FastifyRequest): Promise<void> => {
    const [, secret] = /^Bearer ([\w-]{20,200})$/i.exec(request.headers.authorization ?? '') ?? [];
    const token = secret === undefined ? undefined : await directoryTokenBy(db, secret);
    if (!token || token.customerId !== paramsOf(request).clinic?.toLowerCase())
      throw new ScimError(401, 'The token is missing, expired, revoked or of another clinic');
    directories.set(request, token);
    await noteDirectoryUse(db, token.id);
  };

  const note = (
    { directory, request }: Pick<ScimCall, 'directory' | 'request'>,
    action: 'read' | 'refused',
    more: string,
  ) =>
    identityLog(db).noteOfOperator({
      action: `directory.${action}`,
      customerId: directory.customerId,
      ...(uuid.safeParse(paramsOf(request).id).success && { objectId: paramsOf(request).id?.toLowerCase() ?? '' }),
      detail: `${directory.name}: ${request.method} ${request.routeOptions.url?.replace(`${scimPath}/:clinic`, '')} ${more}`,
    });

  const groupsOf = async ({ directory: { customerId } }: ScimCall): Promise<readonly Role[]> =>
    rolesOfDirectory(await builtInRole(db, 'CustomerAdmin'), await allRoles(db), customerId);
  const groupOf = async (call: ScimCall): Promise<Role> => {
    const role = (await groupsOf(call)).find(({ id }) => id === call.id);
    if (!role) throw notFound();
    return role;
  };
  const usersOf = ({ directory }: ScimCall) => employeesOfClinic(db, directory.customerId);
  const userReply = async (call: ScimCall, row: EmployeeRow): Promise<ScimReply> => {
    const user = userResource(row, await groupsOf(call), call.base);
    return { body: projectionOf(call.request.query)(user), location: user.meta.location };
  };
  const groupReply = async (call: ScimCall): Promise<ScimReply> => {
    const group = groupResource(await groupOf(call), await usersOf(call), call.base);
    return { body: projectionOf(call.request.query)(group) };
  };
  const one = (resources: readonly { readonly id: string }[], id: string | undefined): ScimReply => {
    const body = resources.find((resource) => resource.id === id);
    if (!body) throw notFound();
    return { body };
  };

  const work: Readonly<Record<string, (call: ScimCall) => Promise<ScimReply>>> = {
    'GET /ServiceProviderConfig': async ({ base }) => ({ body: providerConfigOf(base) }),
    'GET /Schemas': async ({ base }) => ({ body: listOf(schemasOf(base), {}) }),
    'GET /Schemas/:name': async ({ base, request }) => one(schemasOf(base), paramsOf(request).name),
    'GET /ResourceTypes': async ({ base }) => ({ body: listOf(resourceTypesOf(base), {}) }),
    'GET /ResourceTypes/:name': async ({ base, request }) => one(resourceTypesOf(base), paramsOf(request).name),

    'GET /Users': async (call) => {
      const groups = await groupsOf(call);
      const users = (await usersOf(call)).map((row) => userResource(row, groups, call.base));
      return { body: listOf(users, call.request.query) };
    },
    'GET /Users/:id': async (call) => userReply(call, await userOfDirectory(db, call.directory, call.id)),
    'POST /Users': async (call) => {
      const user = parseUser(resourceIn(call.request.body, userPatch));
      const created = await directoryUsers(db, call.directory).create(user);
      if (created.isActive && call.directory.invitesIn !== null) await invite(created, call.directory.invitesIn);
      return { status: 201, ...(await userReply(call, created)) };
    },
    'PUT /Users/:id': async (call) => {
      const user = parseUser(resourceIn(call.request.body, userPatch));
      return userReply(call, await directoryUsers(db, call.directory).change(call.id, () => user));
    },
    'PATCH /Users/:id': async (call) => {
      const operations = operationsIn(call.request.body);
      const change = (before: EmployeeRow) => parseUser(patched(stateOf(before), operations, userPatch));
      return userReply(call, await directoryUsers(db, call.directory).change(call.id, change));
    },
    'DELETE /Users/:id': async (call) => {
      await directoryUsers(db, call.directory).remove(call.id);
      return { status: 204 };
    },

    'GET /Groups': async (call) => {
      const users = await usersOf(call);
      const groups = (await groupsOf(call)).map((role) => groupResource(role, users, call.base));
      return { body: listOf(groups, call.request.query) };
    },
    'GET /Groups/:id': groupReply,
    'POST /Groups': async (call) => {
      const { displayName } = resourceIn(call.request.body, groupPatch);
      const isTaken = (await groupsOf(call)).some(
        ({ name }) => name.toLowerCase() === String(displayName).toLowerCase(),
      );
      if (isTaken) throw new ScimError(409, 'There is a role of this name', 'uniqueness');
      throw new ScimError(403, 'Roles are made in the archive, not by a directory');
    },
    'PUT /Groups/:id': async (call) => {
      const role = await groupOf(call);
      const members = parseMembers(resourceIn(call.request.body, groupPatch), role);
      await changeMembers(db, call.directory, role.id, () => members);
      return groupReply(call);
    },
    'PATCH /Groups/:id': async (call) => {
      const role = await groupOf(call);
      const operations = operationsIn(call.request.body);
      await changeMembers(db, call.directory, role.id, (before) =>
        parseMembers(patched(memberState(role, before), operations, groupPatch), role),
      );
      return groupReply(call);
    },
    'DELETE /Groups/:id': async (call) => {
      await groupOf(call);
      throw new ScimError(403, 'Roles are deleted in the archive, not by a directory');
    },
  };

  const send = (reply: FastifyReply, { status = 200, body, location }: ScimReply) => {
    if (location !== undefined) reply.header('location', location);
    return reply
      .code(status)
      .type(mediaType)
      .send(body === undefined ? undefined : JSON.stringify(body));
  };

  void server.register(
    async (scope) => {
      scope.addContentTypeParser(mediaType, { parseAs: 'string' }, scope.getDefaultJsonParser('error', 'ignore'));
      scope.addHook('onRequest', authenticate);
      scope.setErrorHandler(async (error, request, reply) => {
        const reported = scimErrorOf(error);
        const directory = directories.get(request);
        if (reported.status >= 500) request.log.error({ err: error }, 'call of a directory failed');
        if (directory && reported.status < 500) await note({ directory, request }, 'refused', String(reported.status));
        if (reported.status === 401) reply.header('www-authenticate', 'Bearer');
        return send(reply, { status: reported.status, body: errorBody(reported) });
      });
      for (const [route, handler] of Object.entries(work)) {
        const [method = '', url = ''] = route.split(' ');
        scope.route({
          method,
          url,
          handler: async (request, reply) => {
            const directory = directories.get(request);
            if (!directory) throw new ScimError(401, 'The token is missing');
            const base = `${issuer}${scimPath}/${directory.customerId}`;
            const id = url.includes(':id') ? idIn(request) : '';
            const answer = await handler({ directory, base, id, request });
            if (method === 'GET') await note({ directory, request }, 'read', String(reply.statusCode));
            return send(reply, answer);
          },
        });
      }
      scope.all('/*', async () => {
        throw notFound();
      });
    },
    { prefix: `${scimPath}/:clinic` },
  );
};
