import { type Kysely, sql } from 'kysely';

/** Rules about sign-ins of a clinic and of a role: what is not in the object is not required. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of ['customer', 'role'])
    await sql`alter table ${sql.id(table)} add column account_policy jsonb not null default '{}'`.execute(db);
};
