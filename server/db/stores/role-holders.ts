import { type Kysely, sql, type Transaction } from 'kysely';
import { roleNames } from '../../../contract/claims.ts';
import type { Schema } from '../schema.ts';

export interface Holders {
  readonly count: number;
  readonly data: { readonly id: string; readonly name: string }[];
}

const mostNamed = 100;

/** People who hold the role, but for those who were deleted, themselves or with their clinic. `customerId`: of this clinic only; null: of all. */
const people = (db: Kysely<Schema>, roleId: string, customerId: string | null) =>
  db
    .selectFrom('account')
    .leftJoin('customer', 'customer.id', 'account.customer_id')
    .where('account.role_id', '=', roleId)
    .where('account.deleted_at', 'is', null)
    .where('customer.deleted_at', 'is', null)
    .$if(customerId !== null, (query) => query.where('account.customer_id', '=', customerId));

const counted = async (query: { executeTakeFirstOrThrow(): Promise<{ count: string | number | bigint }> }) =>
  Number((await query.executeTakeFirstOrThrow()).count);

/** @param named whether anybody is named, or only counted */
export const usersOfRole = async (
  db: Kysely<Schema>,
  roleId: string,
  customerId: string | null,
  named: boolean,
): Promise<Holders> => {
  const holders = people(db, roleId, customerId);
  const count = await counted(holders.select(({ fn }) => fn.countAll().as('count')));
  if (!named) return { count, data: [] };
  const data = await holders
    .select(['account.id', sql<string>`account.first_name || ' ' || account.last_name`.as('name')])
    .orderBy('account.name_key')
    .orderBy('account.id')
    .limit(mostNamed)
    .execute();
  return { count, data };
};

/** Clinics in which somebody holds the role. */
export const clinicsOfRole = async (
  db: Kysely<Schema>,
  roleId: string,
  customerId: string | null,
  named: boolean,
): Promise<Holders> => {
  const holders = people(db, roleId, customerId);
  const count = await counted(holders.select(({ fn }) => fn.count('account.customer_id').distinct().as('count')));
  if (!named) return { count, data: [] };
  const data = await db
    .selectFrom('customer')
    .select(['id', 'name'])
    .where('id', 'in', holders.select('account.customer_id'))
    .orderBy('name_key')
    .orderBy('id')
    .limit(mostNamed)
    .execute();
  return { count, data };
};

/** Somebody of another clinic than this one holds the role, or somebody of none. */
export const isHeldBeyond = async (db: Kysely<Schema>, roleId: string, customerId: string | null): Promise<boolean> =>
  (await people(db, roleId, null)
    .select('account.id')
    .where('account.customer_id', 'is distinct from', customerId)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Somebody who belongs to a clinic holds the role. */
export const isHeldInClinics = async (db: Kysely<Schema>, roleId: string): Promise<boolean> =>
  (await people(db, roleId, null)
    .select('account.id')
    .where('account.customer_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** All sessions of all who hold the role end at once, as `renewStamp` ends those of one: two statements, however many there are. */
export const endSessionsOfRole = async (transaction: Transaction<Schema>, roleId: string): Promise<void> => {
  await transaction
    .updateTable('account')
    .set({ security_stamp: sql<string>`gen_random_uuid()` })
    .where('role_id', '=', roleId)
    .where('deleted_at', 'is', null)
    .execute();
  await transaction
    .deleteFrom('oidc')
    .where('account_id', 'in', (query) => query.selectFrom('account').select('id').where('role_id', '=', roleId))
    .execute();
};

/** The lowest of the roles that every archive has. */
const lowestBuiltIn = roleNames[roleNames.length - 1] ?? 'Doctor';

/**
 * Everybody who holds one role holds another from now on. People who were deleted, and those of deleted clinics, get the replacement too; where
 * none is named, the lowest built-in role: they never sign in, and a row must name some role.
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
