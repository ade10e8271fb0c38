import { type Kysely, sql } from 'kysely';

/**
 * What was asked of the object store. A row is written before the store is asked for anything and goes when nothing of it is left there, so
 * that no object is ever forgotten: that is why it does not go with its task.
 */
const statements = [
  `create table import_object (
    task_id uuid not null, key uuid not null, name uuid not null unique,
    path text not null, size_bytes bigint not null, part_bytes bigint not null,
    upload_id text, file_id uuid, begun_at timestamptz not null default now(), gone_at timestamptz,
    primary key (task_id, key))`,
  'create index import_object_there on import_object (begun_at) where gone_at is null',
];

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
