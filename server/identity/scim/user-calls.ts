import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { type EmployeeRow, employeesOfClinic } from '../../db/stores/employee-store.ts';
import { userOfDirectory } from './directory-step.ts';
import { operationsIn, resourceIn } from './scim-body.ts';
import { groupsOf, type ScimCall, type ScimHandlers, type ScimReply } from './scim-call.ts';
import { listOf, projectionOf } from './scim-list.ts';
import { patched } from './scim-patch.ts';
import { parseUser, stateOf, userPatch, userResource } from './scim-user.ts';
import { directoryUsers } from './user-changes.ts';

/** Invites a new user. */
export type Invite = (user: EmployeeRow, language: string) => Promise<void>;

export const userResources = async (db: Kysely<Schema>, call: ScimCall) => {
  const groups = await groupsOf(db, call);
  const users = await employeesOfClinic(db, call.directory.customerId);
  return users.map((row) => userResource(row, groups, call.base));
};

/** The calls about users (RFC 7644 section 3). */
export const userCalls = (db: Kysely<Schema>, invite: Invite): ScimHandlers => {
  const replyOf = async (call: ScimCall, row: EmployeeRow): Promise<ScimReply> => {
    const user = userResource(row, await groupsOf(db, call), call.base);
    return { body: projectionOf(call.query)(user), location: user.meta.location };
  };
  return {
    'GET /Users': async (call) => ({ body: listOf(await userResources(db, call), call.query) }),
    'POST /Users/.search': async (call) => ({ body: listOf(await userResources(db, call), call.body) }),
    'GET /Users/:id': async (call) => replyOf(call, await userOfDirectory(db, call.directory, call.id)),
    'POST /Users': async (call) => {
      const { directory } = call;
      const created = await directoryUsers(db, directory).create(parseUser(resourceIn(call.body, userPatch)));
      if (created.isActive && directory.invitesIn !== null) await invite(created, directory.invitesIn);
      return { status: 201, ...(await replyOf(call, created)) };
    },
    'PUT /Users/:id': async (call) => {
      const user = parseUser(resourceIn(call.body, userPatch));
      return replyOf(call, await directoryUsers(db, call.directory).change(call.id, () => user));
    },
    'PATCH /Users/:id': async (call) => {
      const operations = operationsIn(call.body);
      const change = (before: EmployeeRow) => parseUser(patched(stateOf(before), operations, userPatch));
      return replyOf(call, await directoryUsers(db, call.directory).change(call.id, change));
    },
    'DELETE /Users/:id': async ({ directory, id }) => {
      await directoryUsers(db, directory).remove(id);
      return { status: 204 };
    },
  };
};
