import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { defaultClaims, roleNames } from '../../../contract/claims.ts';
import type { Role } from '../../../contract/roles.ts';
import type { Schema } from '../schema.ts';

const columns = [
  'role.id',
  'role.name',
  'role.rank',
  'role.claims',
  'role.is_built_in as isBuiltIn',
  'role.version',
] as const;

export const allRoles = (db: Kysely<Schema>): Promise<Role[]> =>
  db.selectFrom('role').select(columns).orderBy('rank').orderBy('name').execute();

export const roleById = (db: Kysely<Schema>, id: string): Promise<Role | undefined> =>
  db.selectFrom('role').select(columns).where('id', '=', id).executeTakeFirst();

/** The role that somebody holds. */
export const roleOfAccount = (db: Kysely<Schema>, accountId: string): Promise<Role | undefined> =>
  db
    .selectFrom('role')
    .innerJoin('account', 'account.role_id', 'role.id')
    .select(columns)
    .where('account.id', '=', accountId)
    .executeTakeFirst();

/**
 * Roles as they are, and as they stay until the transaction ends: nobody changes them, and nobody is given one meanwhile. Always taken in the same
 * order, so that two changes wait for each other and never for ever.
 */
export const lockRoles = (transaction: Transaction<Schema>, ids: readonly string[]): Promise<Role[]> =>
  transaction.selectFrom('role').select(columns).where('id', 'in', ids).orderBy('id').forUpdate().execute();

/** @throws the database's unique violation (23505) when there is a role of this name, in whatever case */
export const insertRole = (db: Kysely<Schema>, role: Pick<Role, 'name' | 'rank' | 'claims'>): Promise<Role> =>
  db
    .insertInto('role')
    .values({ id: randomUUID(), ...role })
    .returning(columns)
    .executeTakeFirstOrThrow();

/** Of a locked role. @throws the database's unique violation (23505) when there is a role of this name, in whatever case */
export const changeRole = (
  transaction: Transaction<Schema>,
  { id, version }: Pick<Role, 'id' | 'version'>,
  change: Partial<Pick<Role, 'name' | 'rank' | 'claims'>>,
): Promise<Role> =>
  transaction
    .updateTable('role')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();

export const removeRole = async (transaction: Transaction<Schema>, id: string): Promise<void> => {
  await transaction.deleteFrom('role').where('id', '=', id).execute();
};

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
