import { type Kysely, sql } from 'kysely';

/** Large files that come in parts: how far one has come is the length of its draft; what it is, and which row it became, stands here. */
const statements = [
  `create table import_part (
    task_id uuid not null references import_task on delete cascade, key uuid not null,
    path text not null, size_bytes bigint not null, sha256 text,
    file_id uuid references import_file on delete set null, begun_at timestamptz not null default now(),
    primary key (task_id, key))`,
  'create index import_part_sha256 on import_part (sha256) where sha256 is not null',
];

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
