import { type Kysely, sql } from 'kysely';

const statements = [
  // With the rights of the owner, so that the role of the server needs none to change the log. The trigger of migration 010 still decides.
  `create function access_log_firm_end() returns bigint language plpgsql security definer set search_path from current as $body$
    begin
      lock table access_log in share mode;
      return (select max(id) from access_log);
    end
  $body$`,
  `create function access_log_remove(first_id bigint, last_id bigint) returns bigint
    language plpgsql security definer set search_path from current as $body$
    declare
      removed bigint;
    begin
      delete from access_log where id between first_id and last_id;
      get diagnostics removed = row_count;
      return removed;
    end
  $body$`,
];

/** The two actions on the access log that need more than reading and adding. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
