import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

const open = ['proposed', 'approved'] as const;
const begun = ['destroying', 'destroyed'] as const;
const ordersOf = (states: readonly string[]) =>
  sql`select from destruction_order where kind = 'clinic' and subject_id = customer.id and state = any(${[...states]}::text[])`;

/** Returns the deleted clinics, the last deleted first. */
export const deletedClinics = (db: Kysely<Schema>) =>
  db
    .selectFrom('customer')
    .select(['id', 'name', 'city', 'deleted_at', 'deleted_by'])
    .select(
      sql<
        string | null
      >`(select first_name || ' ' || last_name from account where account.id = customer.deleted_by)`.as('deleter'),
    )
    .select(
      sql<'none' | 'open' | 'begun'>`case
        when exists (${ordersOf(begun)}) then 'begun' when exists (${ordersOf(open)}) then 'open' else 'none' end`.as(
        'destruction',
      ),
    )
    .where('deleted_at', 'is not', null)
    .$narrowType<{ deleted_at: Date }>()
    .orderBy('deleted_at', 'desc')
    .orderBy('id')
    .execute();

export type Restored = { readonly name: string } | 'unchanged' | 'expired' | 'unknown';

/**
 * Restores a clinic that was deleted after `since` and whose destruction has not begun; orders to destroy it lapse. Must run in a transaction,
 * which holds the row that the begin of a destruction locks too.
 */
export const restoreClinic = async (db: Kysely<Schema>, id: string, since: Date): Promise<Restored> => {
  const found = await db
    .selectFrom('customer')
    .select(['name', 'deleted_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!found) return 'unknown';
  if (!found.deleted_at) return 'unchanged';
  const ofClinic = db.selectFrom('destruction_order').where('kind', '=', 'clinic').where('subject_id', '=', id);
  const isBegun = await ofClinic.select('id').where('state', 'in', begun).executeTakeFirst();
  if (found.deleted_at <= since || isBegun) return 'expired';
  await db
    .updateTable('destruction_order')
    .set({ state: 'lapsed', ended_at: new Date() })
    .where('kind', '=', 'clinic')
    .where('subject_id', '=', id)
    .where('state', 'in', open)
    .execute();
  await db
    .updateTable('customer')
    .set({ deleted_at: null, deleted_by: null, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
  return { name: found.name };
};
