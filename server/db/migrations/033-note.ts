import { type Kysely, sql } from 'kysely';

const subjects = ['image', 'viewset'];

const statements = [
  ...subjects.map(
    (subject) => `create table ${subject}_note (
      subject_id uuid not null references ${subject}, version integer not null,
      state text not null check (state in ('draft', 'signed', 'removed')), text text not null,
      author_id uuid not null references account, author_name text not null, saved_at timestamptz not null default now(),
      primary key (subject_id, version))`,
  ),
  `create function note_version_stays() returns trigger language plpgsql set search_path = '' as $body$
    begin
      raise exception 'a version of a note is never changed' using errcode = 'insufficient_privilege';
    end
  $body$`,
  ...subjects.flatMap((subject) => [
    `create trigger ${subject}_note_stays before update or delete or truncate on ${subject}_note
      for each statement execute function note_version_stays()`,
    // Also in a session that skips ordinary triggers.
    `alter table ${subject}_note enable always trigger ${subject}_note_stays`,
  ]),
];

/** Notes on images and viewsets, one row for each saved version. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
