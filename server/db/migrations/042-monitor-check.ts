import { type Kysely, sql } from 'kysely';

const statements = [
  `create table monitor_check (
    id bigint generated always as identity primary key, customer_id uuid not null references customer,
    workstation text not null, day date not null, answers jsonb not null, comment text not null,
    width_px integer not null, height_px integer not null, pixel_ratio double precision not null,
    author_id uuid not null references account, author_name text not null, saved_at timestamptz not null default now())`,
  'create index monitor_check_of_clinic on monitor_check (customer_id, id desc)',
  `create function monitor_check_stays() returns trigger language plpgsql set search_path = '' as $body$
    begin
      raise exception 'a monitor check is never changed' using errcode = 'insufficient_privilege';
    end
  $body$`,
  `create trigger monitor_check_stays before update or delete or truncate on monitor_check
    for each statement execute function monitor_check_stays()`,
  // Also in a session that skips ordinary triggers.
  'alter table monitor_check enable always trigger monitor_check_stays',
];

/** Checks of monitors by users, one row for each saved check. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
