import { type Kysely, sql } from 'kysely';

/** Marks patients whose identity is protected, and gives the built-in administrators the right to see them in lists. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table patient add column has_protected_identity boolean not null default false`.execute(db);
  await sql`create index patient_protected on patient (customer_id) where has_protected_identity`.execute(db);
  await sql`update role set claims = claims || array['feature.protected_identity'], version = version + 1
    where is_built_in and name in ('SuperAdmin', 'CustomerAdmin')
      and not 'feature.protected_identity' = any(claims)`.execute(db);
};
