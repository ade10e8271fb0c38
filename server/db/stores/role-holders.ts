import { type Kysely, sql, type Transaction } from 'kysely';
import { roleNames } from '../../../contract/claims.ts';
import type { ListLanguage } from '../../domain/list-language.ts';
import { inListOrder } from '../list-order.ts';
import type { Schema } from '../schema.ts';
import { endSessionsOfRoleHolders } from './sessions.ts';

export interface Holders {
  readonly count: number;
  readonly data: { readonly id: string; readonly name: string }[];
}

const maxNamed = 100;

/** Users with the role who are not deleted, themselves or with their clinic. `customerId`: of this clinic only; null: of all. */
const holdersOf = (db: Kysely<Schema>, roleId: string, customerId: string | null) =>
  db
    .selectFrom('account')
    .leftJoin('customer', 'customer.id', 'account.customer_id')
    .where('account.role_id', '=', roleId)
    .where('account.deleted_at', 'is', null)
    .where('customer.deleted_at', 'is', null)
    .$if(customerId !== null, (query) => query.where('account.customer_id', '=', customerId));

const counted = async (query: { executeTakeFirstOrThrow(): Promise<{ count: string | number | bigint }> }) =>
  Number((await query.executeTakeFirstOrThrow()).count);

/** @param named whether names are returned, or only the count */
export const usersOfRole = async (
  db: Kysely<Schema>,
  roleId: string,
  customerId: string | null,
  named: boolean,
  language: ListLanguage,
): Promise<Holders> => {
  const holders = holdersOf(db, roleId, customerId);
  const count = await counted(holders.select(({ fn }) => fn.countAll().as('count')));
  if (!named) return { count, data: [] };
  const data = await holders
    .select(['account.id', sql<string>`account.first_name || ' ' || account.last_name`.as('name')])
    .orderBy(inListOrder(sql`account.name_key`, language))
    .orderBy('account.id')
    .limit(maxNamed)
    .execute();
  return { count, data };
};

/** Clinics with users of the role. */
export const clinicsOfRole = async (
  db: Kysely<Schema>,
  roleId: string,
  customerId: string | null,
  named: boolean,
  language: ListLanguage,
): Promise<Holders> => {
  const holders = holdersOf(db, roleId, customerId);
  const count = await counted(holders.select(({ fn }) => fn.count('account.customer_id').distinct().as('count')));
  if (!named) return { count, data: [] };
  const data = await db
    .selectFrom('customer')
    .select(['id', 'name'])
    .where('id', 'in', holders.select('account.customer_id'))
    .orderBy(inListOrder(sql`name_key`, language))
    .orderBy('id')
    .limit(maxNamed)
    .execute();
  return { count, data };
};

/** Returns whether anybody has the role. */
export const isHeld = async (db: Kysely<Schema>, roleId: string): Promise<boolean> =>
  (await holdersOf(db, roleId, null).select('account.id').limit(1).executeTakeFirst()) !== undefined;

/** Returns whether a user outside this clinic has the role. */
export const isHeldBeyond = async (db: Kysely<Schema>, roleId: string, customerId: string | null): Promise<boolean> =>
  (await holdersOf(db, roleId, null)
    .select('account.id')
    .where('account.customer_id', 'is distinct from', customerId)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Returns whether a user of any clinic has the role. */
export const isHeldInClinics = async (db: Kysely<Schema>, roleId: string): Promise<boolean> =>
  (await holdersOf(db, roleId, null)
    .select('account.id')
    .where('account.customer_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Ends all sessions of all users of the role, as `renewStamp` does for one. */
export const endSessionsOfRole = async (transaction: Transaction<Schema>, roleId: string): Promise<void> => {
  await transaction
    .updateTable('account')
    .set({ security_stamp: sql<string>`gen_random_uuid()` })
    .where('role_id', '=', roleId)
    .where('deleted_at', 'is', null)
    .execute();
  await endSessionsOfRoleHolders(transaction, roleId, 'rights-changed');
};

/** The lowest built-in role. */
const lowestBuiltIn = roleNames[roleNames.length - 1] ?? 'Doctor';

/**
 * Assigns another role to all users of a role. Deleted users, and those of deleted clinics, get the replacement too, or the lowest built-in
 * role: they never sign in, but the row must reference a role.
 */
export const replaceRole = async (
  transaction: Transaction<Schema>,
  roleId: string,
  replacementId: string | null,
): Promise<void> => {
  const { id } = await transaction
    .selectFrom('role')
    .select('id')
    .where((role) => (replacementId === null ? role('name', '=', lowestBuiltIn) : role('id', '=', replacementId)))
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('account')
    .set({ role_id: id, version: sql<number>`version + 1` })
    .where('role_id', '=', roleId)
    .execute();
};
