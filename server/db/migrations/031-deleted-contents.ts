import { type Kysely, sql } from 'kysely';

const tables = ['series', 'image', 'viewset'];

const statements = [
  // Without a check: an older node restores these records and leaves the user.
  ...tables.map((table) => `alter table ${table} add column deleted_by uuid references account`),
  ...tables.map((table) => `create index ${table}_deleted on ${table} (deleted_at) where deleted_at is not null`),
];

/** Who deleted a series, image or viewset, and indexes for listing them in the recycle bin. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
