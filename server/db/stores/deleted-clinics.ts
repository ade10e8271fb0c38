import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

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
    .where('deleted_at', 'is not', null)
    .$narrowType<{ deleted_at: Date }>()
    .orderBy('deleted_at', 'desc')
    .orderBy('id')
    .execute();

export type Restored = { readonly name: string } | 'unchanged' | 'expired' | 'unknown';

/** Restores a clinic that was deleted after `since`. Must run in a transaction. */
export const restoreClinic = async (db: Kysely<Schema>, id: string, since: Date): Promise<Restored> => {
  const found = await db
    .selectFrom('customer')
    .select(['name', 'deleted_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!found) return 'unknown';
  if (!found.deleted_at) return 'unchanged';
  if (found.deleted_at <= since) return 'expired';
  await db
    .updateTable('customer')
    .set({ deleted_at: null, deleted_by: null, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
  return { name: found.name };
};
