import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { defaultClaims, type RoleName, roleNames } from '../../../contract/claims.ts';
import type { Role } from '../../../contract/roles.ts';
import type { ListLanguage } from '../../domain/list-language.ts';
import { inListOrder } from '../list-order.ts';
import type { Schema } from '../schema.ts';

const columns = [
  'role.id',
  'role.name',
  'role.rank',
  'role.claims',
  'role.is_built_in as isBuiltIn',
  'role.version',
] as const;

/** By rank, then by name. */
export const allRoles = (db: Kysely<Schema>, language: ListLanguage): Promise<Role[]> =>
  db.selectFrom('role').select(columns).orderBy('rank').orderBy(inListOrder(sql`list_key(name)`, language)).execute();

export const roleById = (db: Kysely<Schema>, id: string): Promise<Role | undefined> =>
  db.selectFrom('role').select(columns).where('id', '=', id).executeTakeFirst();

/** Returns a built-in role. @throws when the database has no roles yet */
export const builtInRole = (db: Kysely<Schema>, name: RoleName): Promise<Role> =>
  db
    .selectFrom('role')
    .select(columns)
    .where('name', '=', name)
    .where('is_built_in', '=', true)
    .executeTakeFirstOrThrow();

/** Returns the role of an account. */
export const roleOfAccount = (db: Kysely<Schema>, accountId: string): Promise<Role | undefined> =>
  db
    .selectFrom('role')
    .innerJoin('account', 'account.role_id', 'role.id')
    .select(columns)
    .where('account.id', '=', accountId)
    .executeTakeFirst();

/** Locks roles until the transaction ends: they are neither changed nor assigned meanwhile. Always in the same order, to avoid deadlocks. */
export const lockRoles = (transaction: Transaction<Schema>, ids: readonly string[]): Promise<Role[]> =>
  transaction.selectFrom('role').select(columns).where('id', 'in', ids).orderBy('id').forUpdate().execute();

/** @throws the database's unique violation (23505) when a role of this name exists, ignoring case */
export const insertRole = (db: Kysely<Schema>, role: Pick<Role, 'name' | 'rank' | 'claims'>): Promise<Role> =>
  db
    .insertInto('role')
    .values({ id: randomUUID(), ...role })
    .returning(columns)
    .executeTakeFirstOrThrow();

/** Updates a locked role. @throws the database's unique violation (23505) when a role of this name exists, ignoring case */
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

/** Inserts the three built-in roles if missing. */
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
