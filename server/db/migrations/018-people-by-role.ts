import { type Kysely, sql } from 'kysely';

const statements = [
  `create function role_key(rank integer, name text, id uuid) returns text language sql immutable strict parallel safe as
    $body$ select lpad(rank::text, 4, '0') || ' ' || list_key(name) || ' ' || id::text $body$`,
  `alter table account add column role_key text collate "C" not null default ''`,
  // The role is held meanwhile: somebody who gets it while it is renamed is not left behind with its old place.
  `create function account_role_key() returns trigger language plpgsql as $body$
    begin
      select role_key(role.rank, role.name, role.id) into new.role_key from role where role.id = new.role_id for share;
      new.role_key := coalesce(new.role_key, '');
      return new;
    end $body$`,
  `create trigger account_role_key before insert or update of role_id on account
    for each row execute function account_role_key()`,
  `create function role_account_keys() returns trigger language plpgsql as $body$
    begin
      update account set role_key = role_key(new.rank, new.name, new.id) where role_id = new.id;
      return null;
    end $body$`,
  `create trigger role_account_keys after update of rank, name on role for each row
    when (old.rank <> new.rank or old.name <> new.name) execute function role_account_keys()`,
  'update account set role_key = role_key(role.rank, role.name, role.id) from role where role.id = account.role_id',
  `create index account_list_role on account (role_key, name_key, id) include (customer_id) where deleted_at is null`,
];

/** Where a person stands in lists by role: rank and name of the role lie with the account, so that an index serves the order. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
