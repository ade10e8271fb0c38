import { type Kysely, sql } from 'kysely';

const statements = [
  `create table image_grade (
    image_id uuid not null references image, version integer not null,
    grade text check (grade in ('A', 'N')),
    reason text check (reason in ('position', 'movement', 'exposure', 'wrongArea', 'artefact', 'other')),
    text text not null, operator text, is_cephalometric boolean not null,
    author_id uuid not null references account, author_name text not null, saved_at timestamptz not null default now(),
    primary key (image_id, version))`,
  // For the images to leave out of the gallery.
  `create index image_grade_not_acceptable on image_grade (image_id) where grade = 'N'`,
  `create function image_grade_stays() returns trigger language plpgsql set search_path = '' as $body$
    begin
      raise exception 'a grade is never changed' using errcode = 'insufficient_privilege';
    end
  $body$`,
  `create trigger image_grade_stays before update or delete or truncate on image_grade
    for each statement execute function image_grade_stays()`,
  // Also in a session that skips ordinary triggers.
  'alter table image_grade enable always trigger image_grade_stays',
];

/** Quality grades of images, one row for each saved grade. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
