import type { Kysely } from 'kysely';
import type { Role } from '../../../contract/roles.ts';
import type { Schema } from '../../db/schema.ts';
import { employeesOfClinic } from '../../db/stores/employee-store.ts';
import { changeMembers } from './group-changes.ts';
import { operationsIn, resourceIn } from './scim-body.ts';
import { groupsOf, notFound, type ScimCall, type ScimHandlers, type ScimReply } from './scim-call.ts';
import { ScimError } from './scim-error.ts';
import { groupPatch, groupResource, memberState, parseMembers } from './scim-group.ts';
import { listOf, projectionOf } from './scim-list.ts';
import { patched } from './scim-patch.ts';
import { userResources } from './user-calls.ts';

/** The calls about groups, which are the roles, and about users and groups together. */
export const groupCalls = (db: Kysely<Schema>): ScimHandlers => {
  const groupOf = async (call: ScimCall): Promise<Role> => {
    const role = (await groupsOf(db, call)).find(({ id }) => id === call.id);
    if (!role) throw notFound();
    return role;
  };
  const groupResources = async (call: ScimCall) => {
    const users = await employeesOfClinic(db, call.directory.customerId);
    return (await groupsOf(db, call)).map((role) => groupResource(role, users, call.base));
  };
  const reply = async (call: ScimCall): Promise<ScimReply> => {
    const users = await employeesOfClinic(db, call.directory.customerId);
    return { body: projectionOf(call.query)(groupResource(await groupOf(call), users, call.base)) };
  };
  return {
    'POST /.search': async (call) => ({
      body: listOf([...(await userResources(db, call)), ...(await groupResources(call))], call.body),
    }),
    'GET /Groups': async (call) => ({ body: listOf(await groupResources(call), call.query) }),
    'POST /Groups/.search': async (call) => ({ body: listOf(await groupResources(call), call.body) }),
    'GET /Groups/:id': reply,
    'POST /Groups': async (call) => {
      const { displayName } = resourceIn(call.body, groupPatch);
      const name = typeof displayName === 'string' ? displayName.toLowerCase() : null;
      if ((await groupsOf(db, call)).some((role) => role.name.toLowerCase() === name))
        throw new ScimError(409, 'There is a role of this name', 'uniqueness');
      throw new ScimError(403, 'Roles are made in the archive, not by a directory');
    },
    'PUT /Groups/:id': async (call) => {
      const role = await groupOf(call);
      const members = parseMembers(resourceIn(call.body, groupPatch), role);
      await changeMembers(db, call.directory, role.id, () => members);
      return reply(call);
    },
    'PATCH /Groups/:id': async (call) => {
      const role = await groupOf(call);
      const operations = operationsIn(call.body);
      await changeMembers(db, call.directory, role.id, (before) =>
        parseMembers(patched(memberState(role, before), operations, groupPatch), role),
      );
      return reply(call);
    },
    'DELETE /Groups/:id': async (call) => {
      await groupOf(call);
      throw new ScimError(403, 'Roles are deleted in the archive, not by a directory');
    },
  };
};
