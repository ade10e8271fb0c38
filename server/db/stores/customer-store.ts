import { type Kysely, sql } from 'kysely';
import type { Customer, CustomerRow } from '../../../contract/customers.ts';
import type { Schema } from '../schema.ts';

const columns = [
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
  'version',
] as const;

export const customerById = (db: Kysely<Schema>, id: string): Promise<Customer | undefined> =>
  db.selectFrom('customer').select(columns).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();

/** What a person typed, as a LIKE pattern in which nothing but the ends is a wildcard. */
const containing = (text: string): string =>
  `%${text
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`;

/** Clinics by name; `q` is looked for in name, organisation number, customer number and city. */
export const customersPage = async (
  db: Kysely<Schema>,
  { page, ppage, q }: { page: number; ppage: number; q?: string | undefined },
): Promise<{ data: CustomerRow[]; totalCount: number; isTotalExact: boolean; next: string | null }> => {
  let found = db.selectFrom('customer').where('deleted_at', 'is', null);
  if (q?.trim()) {
    const text = sql<string>`lower(concat_ws(' ', name, organisation_number, customer_number, city))`;
    found = found.where(text, 'like', containing(q));
  }
  const { total } = await found.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const data = await found
    .select(columns)
    .select(
      sql<number>`(select count(*) from account where account.customer_id = customer.id and account.deleted_at is null)`.as(
        'users',
      ),
    )
    .orderBy('name_key')
    .orderBy('id')
    .limit(ppage)
    .offset((page - 1) * ppage)
    .execute();
  return { data, totalCount: total, isTotalExact: true, next: null };
};
