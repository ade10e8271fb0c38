import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import type { AccountTable, CustomerTable } from '../identity-tables.ts';
import type { Schema } from '../schema.ts';

export type SeedRow = Readonly<Record<string, unknown>>;
export type SeedTable = 'customer' | 'account' | 'patient';

/** Inserts clinics; existing ones are unchanged. */
export const seedCustomers = async (
  transaction: Transaction<Schema>,
  rows: readonly Insertable<CustomerTable>[],
): Promise<void> => {
  await transaction
    .insertInto('customer')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Inserts accounts; existing ones are unchanged. */
export const seedAccounts = async (
  transaction: Transaction<Schema>,
  rows: readonly Insertable<AccountTable>[],
): Promise<void> => {
  await transaction
    .insertInto('account')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Inserts many rows, which all have the same columns, in one statement with one parameter. */
export const seedRows = async (db: Kysely<Schema>, table: SeedTable, rows: readonly SeedRow[]): Promise<void> => {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(
    db,
  );
};

/** Updates the planner's statistics of all tables after many rows were inserted. */
export const vacuumAnalyze = async (db: Kysely<Schema>): Promise<void> => {
  await sql`vacuum analyze`.execute(db);
};
