import { type Kysely, sql } from 'kysely';

const statements = [
  `create table account_picture (
    account_id uuid primary key references account on delete cascade, id uuid not null, webp bytea not null)`,
  // Lists of people, as server/db/stores/employee-lists.ts sorts and searches them.
  `create index account_list_name on account (name_key, id) include (customer_id) where deleted_at is null`,
  `create index account_list_clinic on account (customer_id, name_key, id) where deleted_at is null`,
  `create index account_list_status on account ((not is_active), name_key, id) include (customer_id) where deleted_at is null`,
  `create index account_list_hired on account ((coalesce(hired_since, 'infinity'::date)), name_key, id) include (customer_id)
    where deleted_at is null`,
  'create index account_search on account using gin (search_text gin_trgm_ops) where deleted_at is null',
];

/** People: their pictures, and long lists of them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
