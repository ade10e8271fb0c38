import { type Kysely, sql } from 'kysely';

const statements = [
  // No foreign keys: a review stays when the user or the clinic is gone, as the access log does.
  `create table log_review (
    id uuid primary key, customer_id uuid not null, account_id uuid not null, from_day date not null, to_day date not null,
    reason text not null check (reason in ('sample', 'chosen')), reviewer_id uuid not null,
    created_by uuid not null, created_at timestamptz not null default now(),
    outcome text check (outcome in ('nothing', 'follow-up')), comment text, closed_by uuid, closed_at timestamptz,
    unique (customer_id, account_id, from_day, to_day), check (reviewer_id <> account_id), check (from_day <= to_day),
    check ((closed_at is null) = (outcome is null) and (closed_at is null) = (closed_by is null) and (closed_at is null) = (comment is null)),
    check (outcome <> 'follow-up' or comment <> ''))`,
  'create index log_review_of_clinic on log_review (customer_id, closed_at desc, created_at desc)',
  `create function log_review_stays() returns trigger language plpgsql set search_path = '' as $body$
    begin
      raise exception 'a closed review is never changed' using errcode = 'insufficient_privilege';
    end
  $body$`,
  `create trigger log_review_closed before update on log_review for each row
    when (old.closed_at is not null) execute function log_review_stays()`,
  `create trigger log_review_stays before delete or truncate on log_review
    for each statement execute function log_review_stays()`,
  // Also in a session that skips ordinary triggers.
  'alter table log_review enable always trigger log_review_closed',
  'alter table log_review enable always trigger log_review_stays',
];

/** Reviews of the access log: whose access is checked, by whom, and the outcome. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
