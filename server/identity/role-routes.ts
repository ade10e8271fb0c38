import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { roleClaims, roles } from '../../contract/roles.ts';
import type { Schema } from '../db/schema.ts';
import { allRoles } from '../db/stores/role-store.ts';
import { maySeeRole } from '../policy/may-see-role.ts';
import { type Binding, bind } from '../route-binding.ts';

export const roleRoutes = (
  server: FastifyInstance,
  { db, binding }: { readonly db: Kysely<Schema>; readonly binding: Binding },
): void => {
  bind(server, binding, roleClaims, async ({ principal }) => [...principal.permissions]);

  bind(server, binding, roles, async ({ principal }) => {
    const all = await allRoles(db);
    const own = all.find((role) => role.name === principal.role);
    return all.filter((role) => maySeeRole(own, role));
  });
};
