import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { defaultClaims, roleNames } from '../../../contract/claims.ts';
import type { Schema } from '../schema.ts';

export const allRoles = (db: Kysely<Schema>) =>
  db.selectFrom('role').selectAll().orderBy('rank').orderBy('name').execute();

/** The three built-in roles, where the installation has none of that name yet. */
export const ensureBuiltInRoles = async (db: Kysely<Schema>): Promise<void> => {
  const rows = roleNames.map((name, rank) => ({ id: randomUUID(), name, rank, claims: [...defaultClaims[name]] }));
  await db
    .insertInto('role')
    .values(rows)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
};
