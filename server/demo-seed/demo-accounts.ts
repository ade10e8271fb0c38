import type { Kysely } from 'kysely';
import type { welcome } from '../../contract/about.ts';
import type { ReplyOf } from '../../contract/route.ts';
import { CUSTOMERS, USERS } from '../../demo/users.ts';
import type { Schema } from '../db/schema.ts';
import { readDemoState } from '../db/stores/seed-state.ts';

/** Returns the sign-in names of the demo clinic for its sign-in page; none in an installation without a demo clinic. */
export const demoAccountsOf = async (db: Kysely<Schema>): Promise<ReplyOf<typeof welcome>['demoAccounts']> => {
  if ((await readDemoState(db)) === null) return [];
  const clinicNames = new Map(CUSTOMERS.map((customer) => [customer.id, customer.organisationName]));
  return USERS.filter((user) => user.isActive).map((user) => ({
    email: user.email,
    password: user.password,
    role: user.roleName,
    clinic: user.customerId === null ? null : (clinicNames.get(user.customerId) ?? null),
  }));
};
