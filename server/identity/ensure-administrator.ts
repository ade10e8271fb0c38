import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { builtInRole, roleOfAccount } from '../db/stores/role-store.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { ensureMayGive } from './employee-rules.ts';

/** Ensures that the caller has every right of a clinic administrator, for what acts beyond the caller's own. @throws ProblemError 'own-rank', 'no-right' */
export const ensureAdministrator = async (
  transaction: Kysely<Schema>,
  { accountId }: Pick<Principal, 'accountId'>,
): Promise<void> => {
  const own = await roleOfAccount(transaction, accountId);
  if (!own) throw new ProblemError('not-signed-in');
  ensureMayGive(own, await builtInRole(transaction, 'CustomerAdmin'));
};
