import { type Kysely, sql } from 'kysely';

const statements = [
  // The role that the person had then: a person who changes over must not change what was done before.
  'alter table access_log add column role text',
  'drop index access_log_patient',
  'create index access_log_patient on access_log (patient_id, at desc, id desc) where patient_id is not null',
  'create index access_log_account on access_log (account_id, at desc, id desc)',
  'create index access_log_clinic on access_log (customer_id, at desc, id desc)',
  'create index access_log_action on access_log (action, at desc, id desc)',
  'create index access_log_at on access_log (at desc, id desc)',
  // Each row covers the entries from `from_id` to `until_id` and, by the hash, the row before it: what is changed afterwards does not fit any more.
  `create table access_log_seal (
    id bigint generated always as identity primary key, from_id bigint not null unique, until_id bigint not null unique,
    entries integer not null, newest_at timestamptz not null, previous_hash text not null unique, hash text not null,
    sealed_at timestamptz not null default now())`,
  `create function access_log_stays() returns trigger language plpgsql as $body$
    begin
      raise exception 'the access log is never rewritten' using errcode = 'insufficient_privilege';
    end
  $body$`,
  `create trigger access_log_never_updated before update on access_log for each statement execute function access_log_stays()`,
  `create trigger access_log_never_truncated before truncate on access_log for each statement execute function access_log_stays()`,
  // Kept for five years at least, whatever the program asks for.
  `create trigger access_log_kept before delete on access_log for each row
    when (old.at > now() - interval '5 years') execute function access_log_stays()`,
  `create trigger access_log_seal_stays before update or delete on access_log_seal
    for each statement execute function access_log_stays()`,
  `create trigger access_log_seal_never_truncated before truncate on access_log_seal
    for each statement execute function access_log_stays()`,
  // Also in a session that passes over ordinary triggers.
  'alter table access_log enable always trigger access_log_never_updated',
  'alter table access_log enable always trigger access_log_never_truncated',
  'alter table access_log enable always trigger access_log_kept',
  'alter table access_log_seal enable always trigger access_log_seal_stays',
  'alter table access_log_seal enable always trigger access_log_seal_never_truncated',
];

/** The access log holds fast: no entry is changed, and none goes before its time. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
