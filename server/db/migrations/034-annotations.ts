import { type Kysely, sql } from 'kysely';

/**
 * Annotations beside the measurements of an image: servers before this migration replace `marks` as a whole and return them to pages that
 * know only lengths and angles. `mark_authors` is null until a mark is saved by a server that knows it.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table image add column annotations jsonb not null default '[]', add column mark_authors jsonb`.execute(
    db,
  );
};
