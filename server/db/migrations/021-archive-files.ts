import { type Kysely, sql } from 'kysely';

/**
 * What the database knows about its folder of files: a counter that both carry, so that an older copy of either is noticed, and what the last sweep
 * counted. Images remember when a failed thumbnail or rendition is tried again.
 */
const statements = [
  `create table archive_files (
    singleton boolean primary key default true check (singleton),
    generation bigint not null default 0,
    confirmed bigint not null default 0 check (confirmed <= generation),
    older_since timestamptz,
    unnamed_files bigint not null default 0, unnamed_bytes bigint not null default 0,
    quarantined_files bigint not null default 0, quarantined_bytes bigint not null default 0, quarantined_since timestamptz)`,
  'insert into archive_files default values',
  `alter table image
    add column derive_attempts smallint not null default 0,
    add column derive_retry_at timestamptz,
    add column derive_final boolean not null default false`,
  'create index image_derive_retry on image (derive_retry_at) where derive_retry_at is not null',
  `create index image_derive_error on image (sha256) where thumb_status = 'error' or rendition_status = 'error'`,
];

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
