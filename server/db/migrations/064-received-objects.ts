import { type Kysely, sql } from 'kysely';

const statements = [
  // Of an import without a user, `source_id` is the id of what sent it. Earlier versions list imports by user or patient, so they show none of these.
  `alter table import_task alter column account_id drop not null,
    add column source text check (source in ('dicomweb', 'dicom')), add column source_id uuid, add column source_name text,
    add column source_study text, add column at_once boolean not null default false, add column sent_at timestamptz,
    add column judged_at timestamptz,
    add constraint import_task_sender check (account_id is not null or source_id is not null),
    add constraint import_task_source check ((source is null) = (source_id is null) and (source is null) = (source_name is null)
      and (source is null) = (source_study is null))`,
  // One import collects the objects of a study that a source sends.
  `create unique index import_task_receiving on import_task (customer_id, source, source_id, md5(source_study))
    where source is not null and step = 0 and not error`,
  'create index import_task_received on import_task (customer_id, created_at desc) where source is not null and step < 5 and not cancelled',
  'alter table service_account add column at_once boolean not null default false',
];

/** Imports of objects that programs and devices send. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
