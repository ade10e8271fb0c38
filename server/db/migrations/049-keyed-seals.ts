import { type Kysely, sql } from 'kysely';

const statements = [
  // Where a sign-in or a refused call came from, and what was called. Seals cover them by `mac`, as versions before read and seal the other columns only.
  'alter table access_log add column address text, add column request text',
  'alter table access_log_seal add column key_id text, add column mac text',
  // A node of a version without keys logs an error instead, and the others seal its entries.
  `create function access_log_seal_keyed() returns trigger language plpgsql set search_path from current as $body$
    begin
      if exists (select from access_log_seal where mac is not null) then
        raise exception 'seals of the access log have a key' using errcode = 'insufficient_privilege';
      end if;
      return new;
    end
  $body$`,
  `create trigger access_log_seal_keyed before insert on access_log_seal for each row when (new.mac is null)
    execute function access_log_seal_keyed()`,
];

/** Seals of the access log have a key, which the database does not hold in plain text. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
