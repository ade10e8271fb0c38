import { type Kysely, sql } from 'kysely';

const statements = [
  'alter table imaging_order add column version integer not null default 1',
  'create index imaging_order_day on imaging_order (customer_id, scheduled_day)',
];

/** Edits of orders of images, and the orders of a day. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
