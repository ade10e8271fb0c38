import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

/** Returns whether the installation has a super administrator, active or not. */
export const hasSuperAdministrator = async (db: Kysely<Schema>): Promise<boolean> => {
  const found = await db
    .selectFrom('account')
    .innerJoin('role', 'role.id', 'account.role_id')
    .where('role.name', '=', 'SuperAdmin')
    .where('account.deleted_at', 'is', null)
    .select('account.id')
    .executeTakeFirst();
  return found !== undefined;
};

interface FirstAdministrator {
  readonly organisationName: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly passwordHash: string;
}

/** Inserts the first clinic and the super administrator. Returns the id of the account. */
export const insertFirstAdministrator = async (
  transaction: Transaction<Schema>,
  first: FirstAdministrator,
): Promise<string> => {
  const role = await transaction
    .selectFrom('role')
    .select('id')
    .where('name', '=', 'SuperAdmin')
    .executeTakeFirstOrThrow();
  const id = randomUUID();
  await transaction.insertInto('customer').values({ id: randomUUID(), name: first.organisationName }).execute();
  await transaction
    .insertInto('account')
    .values({
      id,
      email: first.email,
      first_name: first.firstName,
      last_name: first.lastName,
      role_id: role.id,
      customer_id: null,
      password_hash: first.passwordHash,
      security_stamp: randomUUID(),
    })
    .execute();
  return id;
};
