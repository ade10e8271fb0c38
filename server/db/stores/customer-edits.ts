import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { Customer, customerFields } from '../../../contract/customers.ts';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../schema.ts';
import { customerColumns } from './customer-store.ts';

type Fields = z.output<typeof customerFields>;

/** The clinic in the version that the user saw. */
type Seen = Pick<Customer, 'id' | 'version'>;

const columnsOf = (fields: Fields) => ({
  name: fields.organisationName,
  organisation_number: fields.organisationNumber,
  customer_number: fields.customerNumber,
  address: fields.address,
  city: fields.city,
  zipcode: fields.zipcode,
  telephone: fields.telephone,
  description: fields.description,
  license: fields.license,
  country: fields.country,
  proxy_use: fields.useProxy,
  ...(fields.sharesByLink !== undefined && { shares_links: fields.sharesByLink }),
  ...(fields.retentionYears !== undefined && { retention_years: fields.retentionYears }),
  ...(fields.viewers !== undefined && { viewers: JSON.stringify(fields.viewers) }),
});

export const insertCustomer = (db: Kysely<Schema>, fields: Fields): Promise<Customer> =>
  db
    .insertInto('customer')
    .values({ id: randomUUID(), ...columnsOf(fields) })
    .returning(customerColumns)
    .executeTakeFirstOrThrow();

const atVersion = (db: Kysely<Schema>, { id, version }: Seen) =>
  db
    .updateTable('customer')
    .set({ version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('deleted_at', 'is', null);

/** Undefined when the clinic has another version or is gone. */
export const updateCustomer = (db: Kysely<Schema>, seen: Seen, fields: Fields): Promise<Customer | undefined> =>
  atVersion(db, seen).set(columnsOf(fields)).returning(customerColumns).executeTakeFirst();

const isUnfinished = sql<boolean>`(step < ${importSteps.done} and not cancelled)`;

/** Returns the number of unfinished imports. */
export const unfinishedImports = async (db: Kysely<Schema>, customerId: string): Promise<number> => {
  const tasks = db.selectFrom('import_task').where('customer_id', '=', customerId).where(isUnfinished);
  const { imports } = await tasks.select(({ fn }) => fn.countAll<number>().as('imports')).executeTakeFirstOrThrow();
  return imports;
};

/**
 * Deletes a clinic, ends the sessions of its accounts and cancels its imports. Must run in a transaction.
 * @returns its name; undefined when it has another version or is gone
 */
export const closeCustomer = async (db: Kysely<Schema>, seen: Seen, accountId: string): Promise<string | undefined> => {
  const now = new Date();
  const closed = await atVersion(db, seen)
    .set({ deleted_at: now, deleted_by: accountId })
    .returning('name')
    .executeTakeFirst();
  if (!closed) return undefined;
  const accounts = db.selectFrom('account').select('id').where('customer_id', '=', seen.id);
  await db.deleteFrom('oidc').where('account_id', 'in', accounts).execute();
  await db
    .updateTable('import_task')
    .set({ error: true, cancelled: true, updated_at: now })
    .where('customer_id', '=', seen.id)
    .where(isUnfinished)
    .execute();
  return closed.name;
};

/** Also increments the account's version. */
export const moveEmployee = async (db: Kysely<Schema>, accountId: string, customerId: string): Promise<void> => {
  await db
    .updateTable('account')
    .set({ customer_id: customerId, external_id: null, version: sql`version + 1` })
    .where('id', '=', accountId)
    .execute();
};
