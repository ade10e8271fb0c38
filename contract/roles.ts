import { z } from 'zod';
import { bounded, recordVersion, reference, uuid } from './bounds.ts';
import { claim } from './claims.ts';
import { emptyReply, needs, restrictions, route, signedIn } from './route.ts';

/** 0 is the highest. Several roles may share a rank. */
export const roleRank = z.number().int().min(0).max(1_000);

export const role = z.object({
  id: uuid,
  name: z.string(),
  rank: roleRank,
  claims: z.array(z.string()),
  /** True for the three built-in roles, which are neither renamed nor deleted. */
  isBuiltIn: z.boolean(),
  /** Version for optimistic locking; an edit contains the version that it is based on. */
  version: z.number().int(),
});
export type Role = z.infer<typeof role>;

/** Current claims of the caller: the permission list against which a session is checked. */
export const roleClaims = route({
  method: 'GET',
  path: '/api/Roles/role_claims',
  access: signedIn,
  allowedWhen: restrictions,
  reply: z.array(z.string()),
});

/** Roles whose rank number is at least the own, by rank, then name. */
export const roles = route({
  method: 'GET',
  path: '/api/Roles',
  access: needs('role.get'),
  allowedWhen: restrictions,
  reply: z.array(role),
});

export const claimsByRole = route({
  method: 'GET',
  path: '/api/Roles/claims_by_role/:id',
  params: z.object({ id: uuid }),
  access: needs('role.get'),
  reply: z.array(z.string()),
});

const ofRole = z.object({ id: uuid, CountOnly: z.stringbool().default(false) });
const holders = z.object({
  count: z.number().int(),
  /** At most 100, by name; empty when only the count was requested. */
  data: z.array(reference),
});

/** Users who hold a role: all of them, or those of the own clinic without `customer.get_byid`. */
export const usersInRole = route({
  method: 'GET',
  path: '/api/Roles/get_users_in_role',
  query: ofRole,
  access: needs('role.get'),
  reply: holders,
});

/** Clinics with users who hold a role. */
export const customersByRole = route({
  method: 'GET',
  path: '/api/Roles/get_customers_by_role',
  query: ofRole,
  access: needs('role.get'),
  reply: holders,
});

/** Fails with `role-name-taken`, and with `own-rank` for a rank above the own. `roleClaims`: its initial rights. */
export const roleCreate = route({
  method: 'POST',
  path: '/api/Roles/create',
  access: needs('role.create'),
  body: z.strictObject({ name: bounded('roleName'), rank: roleRank, roleClaims: z.array(claim).default([]) }),
  reply: role,
});

/** Name and rank. */
export const roleUpdate = route({
  method: 'POST',
  path: '/api/Roles/update',
  access: needs('role.update'),
  body: z.strictObject({ id: uuid, name: bounded('roleName'), rank: roleRank, version: recordVersion }),
  reply: role,
});

/** Sets the rights of a role. Users may not grant a right that they do not have. Ends the sessions of its users. */
export const roleClaimsUpdate = route({
  method: 'POST',
  path: '/api/Roles/update_claims',
  access: needs('role.update'),
  body: z.strictObject({ id: uuid, roleClaims: z.array(claim), version: recordVersion }),
  reply: role,
});

/** Deletes a role; its users get the replacement in the same transaction. Fails with `role-in-use` when it has users and no replacement is given. */
export const roleDelete = route({
  method: 'POST',
  path: '/api/Roles/delete_role',
  access: needs('role.delete'),
  body: z.strictObject({ deletingRoleId: uuid, applyingRoleId: uuid.nullable() }),
  reply: emptyReply,
});
