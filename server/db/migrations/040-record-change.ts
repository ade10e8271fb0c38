import { type Kysely, sql } from 'kysely';

const fields = {
  image: ['teeth', 'comment', 'patient'],
  study: ['description', 'studyDate', 'accessionNumber', 'patient'],
};

const statements = [
  `create function record_change_stays() returns trigger language plpgsql set search_path = '' as $body$
    begin
      raise exception 'a recorded change is never changed' using errcode = 'insufficient_privilege';
    end
  $body$`,
  ...Object.entries(fields).flatMap(([subject, names]) => [
    `create table ${subject}_change (
      id bigint generated always as identity primary key, subject_id uuid not null references ${subject},
      field text not null check (field in (${names.map((name) => `'${name}'`).join(', ')})),
      before jsonb not null, after jsonb not null,
      author_id uuid not null references account, author_name text not null, changed_at timestamptz not null default now())`,
    `create index ${subject}_change_of_subject on ${subject}_change (subject_id)`,
    `create trigger ${subject}_change_stays before update or delete or truncate on ${subject}_change
      for each statement execute function record_change_stays()`,
    // Also in a session that skips ordinary triggers.
    `alter table ${subject}_change enable always trigger ${subject}_change_stays`,
  ]),
];

/** Old and new values of images and studies, one row for each changed value. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
