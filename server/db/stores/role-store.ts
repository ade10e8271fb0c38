import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { defaultClaims, roleNames } from '../../../contract/claims.ts';
import type { Schema } from '../schema.ts';

export const allRoles = (db: Kysely<Schema>) =>
  db
    .selectFrom('role')
    .select(['id', 'name', 'rank', 'claims', 'is_built_in as isBuiltIn', 'version'])
    .orderBy('rank')
    .orderBy('name')
    .execute();

/** The three built-in roles, where the installation has none of that name yet. */
export const ensureBuiltInRoles = async (db: Kysely<Schema>): Promise<void> => {
  const rows = roleNames.map((name, rank) => ({
    id: randomUUID(),
    name,
    rank,
    claims: [...defaultClaims[name]],
    is_built_in: true,
  }));
  await db
    .insertInto('role')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
