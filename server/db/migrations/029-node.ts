import { type Kysely, sql } from 'kysely';

/** Running nodes: each writes its row every half minute, and removes it when it ends. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql
    .raw(
      `create table node (
        id uuid primary key, name text not null, version text not null,
        started_at timestamptz not null default now(), seen_at timestamptz not null default now())`,
    )
    .execute(db);
};
