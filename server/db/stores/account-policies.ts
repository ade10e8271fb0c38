import type { Kysely, Transaction } from 'kysely';
import { type AccountPolicy, noPolicy, strictest } from '../../../contract/account-policy.ts';
import type { Schema } from '../schema.ts';

const wholePolicy = (stored: Partial<AccountPolicy>): AccountPolicy => ({ ...noPolicy, ...stored });

type PolicyTable = 'customer' | 'role';

/** Returns the policy of a clinic or role; undefined when there is none with this id. */
export const policyOf = async (
  db: Kysely<Schema>,
  table: PolicyTable,
  id: string,
): Promise<AccountPolicy | undefined> => {
  const row = await db.selectFrom(table).select('account_policy').where('id', '=', id).executeTakeFirst();
  return row && wholePolicy(row.account_policy);
};

/** Like `policyOf`; the row is locked until the transaction ends. */
export const lockPolicy = async (
  transaction: Transaction<Schema>,
  table: PolicyTable,
  id: string,
): Promise<AccountPolicy | undefined> => {
  await transaction.selectFrom(table).select('id').where('id', '=', id).forUpdate().execute();
  return policyOf(transaction, table, id);
};

export const setPolicy = async (
  db: Kysely<Schema>,
  table: PolicyTable,
  id: string,
  policy: AccountPolicy,
): Promise<void> => {
  await db
    .updateTable(table)
    .set({ account_policy: JSON.stringify(policy) })
    .where('id', '=', id)
    .execute();
};

/** Returns the policy for the users with a role in a clinic. `customerId`: null for super administrators. */
export const policyFor = async (
  db: Kysely<Schema>,
  { customerId, roleId }: { readonly customerId: string | null; readonly roleId: string },
): Promise<AccountPolicy> => {
  const ofClinic = customerId === null ? undefined : await policyOf(db, 'customer', customerId);
  return strictest(ofClinic ?? noPolicy, (await policyOf(db, 'role', roleId)) ?? noPolicy);
};
