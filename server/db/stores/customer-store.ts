import { type Kysely, sql } from 'kysely';
import type { Customer, CustomerRow } from '../../../contract/customers.ts';
import type { ListCursors } from '../list-cursors.ts';
import { inOrderOf, isOneOf, type ListRequest, listPage } from '../list-page.ts';
import { wordsIn } from '../list-search.ts';
import type { Schema } from '../schema.ts';

/** Columns as in the contract. */
export const customerColumns = [
  'id',
  'name',
  'organisation_number as organisationNumber',
  'customer_number as customerNumber',
  'address',
  'city',
  'zipcode',
  'telephone',
  'description',
  'license',
  'country',
  'proxy_use as useProxy',
  'shares_links as sharesByLink',
  'retention_years as retentionYears',
  'version',
] as const;

export const customerById = (db: Kysely<Schema>, id: string): Promise<Customer | undefined> =>
  db
    .selectFrom('customer')
    .select(customerColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

const users = sql<number>`(select count(*) from account where account.customer_id = customer.id and account.deleted_at is null)`;

const name = { nameKey: sql<string>`customer.name_key` };

/** Text is compared in its `list_key` form; the indexes of migrations 013 and 045 use exactly these expressions. */
const keys = {
  name: [name],
  city: [{ nameKey: sql<string>`coalesce(list_key(customer.city), '')` }, name],
  organisationNumber: [sql`(coalesce(list_key(customer.organisation_number), '') collate "C")`],
  customerNumber: [sql`(coalesce(list_key(customer.customer_number), '') collate "C")`],
  users: [users],
};

export interface CustomersPage {
  readonly data: CustomerRow[];
  readonly totalCount: number;
  readonly isTotalExact: boolean;
  readonly next: string | null;
}

/** Returns clinics that are not deleted; words of `q` are prefixes of words in name, numbers or city. */
export const customersPage = async (
  db: Kysely<Schema>,
  cursors: ListCursors,
  request: ListRequest<keyof typeof keys>,
): Promise<CustomersPage> => {
  const found = wordsIn(sql`customer.search_text`, request.q).reduce(
    (query, condition) => query.where(condition),
    db.selectFrom('customer').where('customer.deleted_at', 'is', null),
  );
  const { ids, ...page } = await listPage(
    db,
    found,
    { cursors, list: 'customers', keys, id: sql`customer.id` },
    request,
  );
  const rows = await db
    .selectFrom('customer')
    .select(customerColumns)
    .select(users.as('users'))
    .where(isOneOf(sql`customer.id`, ids))
    .execute();
  return { ...page, data: inOrderOf(ids, rows) };
};

/** Returns whether the clinic exists, deleted or not. */
export const isCustomer = async (db: Kysely<Schema>, id: string): Promise<boolean> =>
  (await db.selectFrom('customer').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

/** Returns whether the clinic exists and is not deleted, which it cannot be until the transaction ends. */
export const isOpenCustomer = async (transaction: Kysely<Schema>, id: string): Promise<boolean> => {
  const query = transaction.selectFrom('customer').select('id').where('id', '=', id).where('deleted_at', 'is', null);
  return (await query.forShare().executeTakeFirst()) !== undefined;
};

/** Returns whether the installation has any clinic, deleted or not. */
export const hasCustomers = async (db: Kysely<Schema>): Promise<boolean> =>
  (await db.selectFrom('customer').select('id').limit(1).executeTakeFirst()) !== undefined;
