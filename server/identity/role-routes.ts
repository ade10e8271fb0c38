import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { hasClaim } from '../../contract/claims.ts';
import {
  claimsByRole,
  customersByRole,
  roleClaims,
  roleClaimsUpdate,
  roleCreate,
  roleDelete,
  roles,
  roleUpdate,
  usersInRole,
} from '../../contract/roles.ts';
import type { Schema } from '../db/schema.ts';
import { clinicsOfRole, usersOfRole } from '../db/stores/role-holders.ts';
import { allRoles, roleOfAccount } from '../db/stores/role-store.ts';
import { canSeeRole } from '../domain/policy/can-see-role.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { type Binding, bind } from '../route-binding.ts';
import { requireRole, roleChanges } from './role-changes.ts';

/** Registers the routes that list roles, their claims and users, and change them. */
export const roleRoutes = (
  server: FastifyInstance,
  { db, binding }: { readonly db: Kysely<Schema>; readonly binding: Binding },
): void => {
  const changes = roleChanges(db);

  /** Returns the clinic whose users are listed: null for all clinics, 'none' for none. */
  const clinicOf = ({ customerId, permissions }: Principal): string | null | 'none' =>
    hasClaim(permissions, 'customer.get_byid') ? null : (customerId ?? 'none');

  const noUsers = { count: 0, data: [] };

  bind(server, binding, roleClaims, async ({ principal }) => [...principal.permissions]);

  bind(server, binding, roles, async ({ principal, language }) => {
    const [own, all] = await Promise.all([roleOfAccount(db, principal.accountId), allRoles(db, language)]);
    return all.filter((role) => canSeeRole(own, role));
  });

  bind(
    server,
    binding,
    claimsByRole,
    async ({ principal, params }) => (await requireRole(db, principal, params.id)).claims,
  );

  for (const [route, holdersOf] of [
    [usersInRole, usersOfRole],
    [customersByRole, clinicsOfRole],
  ] as const)
    bind(server, binding, route, async ({ principal, query, language }) => {
      const { id } = await requireRole(db, principal, query.id);
      const clinic = clinicOf(principal);
      return clinic === 'none' ? noUsers : holdersOf(db, id, clinic, !query.CountOnly, language);
    });

  bind(server, binding, roleCreate, ({ principal, body }) => changes.create(principal, body));
  bind(server, binding, roleUpdate, ({ principal, body }) => changes.update(principal, body));
  bind(server, binding, roleClaimsUpdate, ({ principal, body }) => changes.updateClaims(principal, body));
  bind(server, binding, roleDelete, async ({ principal, body }) => {
    await changes.remove(principal, body);
    return {};
  });
};
