import { type Kysely, sql } from 'kysely';

/**
 * Imports of anything: patients are decided study by study, files come out of zips and disc folders, or lie in an object store until they are fetched.
 */
const statements = [
  `alter table import_task alter column patient_id drop not null,
    add column kind text not null default 'dicom' check (kind in ('static', 'dicom', 'dicomdir')),
    add column name text not null default '',
    add column aws_upload boolean not null default false`,
  'create index import_task_account on import_task (account_id, created_at desc)',
  `alter table import_file alter column sha256 drop not null,
    add column path text not null default '',
    add column container_id uuid references import_file on delete cascade,
    add column study_key text,
    add column aws_name text,
    drop constraint import_file_status_check,
    add constraint import_file_status_check
      check (status in ('received', 'unpacked', 'parsed', 'imported', 'duplicate', 'refused', 'ignored', 'left-out'))`,
  // Until now two rows could be the same file, sent twice at the same moment.
  `update import_file set path = case when numbered.n = 1 then file_name else numbered.n || '/' || file_name end
    from (select id, row_number() over (partition by task_id, file_name, sha256 order by received_at, id) as n from import_file) numbered
    where numbered.id = import_file.id`,
  // The same file twice is one row, whoever sends it twice and however close together.
  `create unique index import_file_once on import_file
    (task_id, (coalesce(container_id, '00000000-0000-0000-0000-000000000000')), md5(path), (coalesce(sha256, '')))`,
  'create index import_file_container on import_file (container_id) where container_id is not null',
  'create index import_file_sha256 on import_file (sha256)',
  'create index image_sha256 on image (sha256)',
  'create index image_original_sha256 on image (original_sha256) where original_sha256 is not null',
  `create table import_study (
    task_id uuid not null references import_task on delete cascade, key text not null,
    kind text not null check (kind in ('dicom', 'static')), description text not null default '', study_date date,
    modalities text[] not null default '{}', named_patient jsonb, names_several boolean not null default false,
    left_out boolean not null default false, patient_id uuid references patient, study_uid text, template_id uuid references template,
    links jsonb not null default '{}', mismatch_confirmed boolean not null default false, viewset_id uuid references viewset,
    primary key (task_id, key))`,
];

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
