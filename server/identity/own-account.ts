import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { type Account, accountById } from '../db/stores/account-store.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';

/** Returns the account of the caller. @throws ProblemError 'not-signed-in' when it was deleted meanwhile */
export const ownAccount = async (db: Kysely<Schema>, { accountId }: Pick<Principal, 'accountId'>): Promise<Account> => {
  const account = await accountById(db, accountId);
  if (!account) throw new ProblemError('not-signed-in');
  return account;
};
