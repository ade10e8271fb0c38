import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** The role as which the server works on the embedded database. */
export const embeddedRole = 'dentarium';

/** Tables that the server reads and adds to, but never changes. */
const appendOnly = ['access_log', 'access_log_seal'];
const readOnly = ['kysely_migration', 'kysely_migration_lock'];

/** Creates the role of the embedded database if there is none: it is no superuser and owns nothing. */
export const ensureEmbeddedRole = async (owner: Kysely<Schema>): Promise<void> => {
  const { rows } = await sql`select from pg_roles where rolname = ${embeddedRole}`.execute(owner);
  if (rows.length === 0) await sql`create role ${sql.id(embeddedRole)} login`.execute(owner);
};

/** Gives a role what the server needs: to read and write rows, but not to change tables, triggers or entries of the access log. */
export const grantServerRights = async (owner: Kysely<Schema>, role: string): Promise<void> => {
  const to = sql.id(role);
  const list = (tables: readonly string[]) => sql.join(tables.map((table) => sql.id(table)));
  await sql`grant usage on schema public to ${to}`.execute(owner);
  await sql`grant select, insert, update, delete on all tables in schema public to ${to}`.execute(owner);
  await sql`revoke update, delete on ${list([...appendOnly, ...readOnly])} from ${to}`.execute(owner);
  await sql`revoke insert on ${list(readOnly)} from ${to}`.execute(owner);
  await sql`grant usage, select on all sequences in schema public to ${to}`.execute(owner);
};

/** Returns whether the current role could change entries of the access log, as its owner or a superuser. */
export const canAlterLog = async (db: Kysely<Schema>): Promise<boolean> => {
  const { rows } = await sql<{ can: boolean }>`
    select pg_has_role(current_user, relowner, 'member') or (select rolsuper from pg_roles where rolname = current_user) as can
    from pg_class where oid = 'access_log'::regclass`.execute(db);
  return rows[0]?.can ?? false;
};
