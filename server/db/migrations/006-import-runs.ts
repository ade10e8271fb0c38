import { type Kysely, sql } from 'kysely';

/** A withdrawn import stays withdrawn, and who confirmed one is known. */
const statements = [
  'create index import_file_waiting on import_file (task_id, status)',
  `alter table import_task add column cancelled boolean not null default false, add column confirmed_by uuid references account`,
  // What an earlier version had read knows nothing of studies: it is read again, and a person decides again.
  `update import_file set status = 'received', summary = null, image_id = null
    where study_key is null and status in ('parsed', 'duplicate')
      and task_id in (select id from import_task where step between 1 and 4 and not error)`,
  `update import_task set step = 1, percent = 0, mismatch_confirmed = false
    where step in (3, 4) and not error
      and exists (select 1 from import_file where task_id = import_task.id and status = 'received')`,
];

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
