import type { Transaction } from 'kysely';
import { hasClaim } from '../../contract/claims.ts';
import type { Role } from '../../contract/roles.ts';
import type { Schema } from '../db/schema.ts';
import { lockClinicRow } from '../db/stores/employee-store.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { noRightError, ProblemError } from '../domain/problem-error.ts';
import { ensureMayGive, ensureRoleFits, personalNumberOf } from './employee-rules.ts';
import { rolesOfStep } from './employee-step.ts';

/** Returns the country of a new user's clinic. @throws ProblemError 'not-found' for a clinic that the caller may not use; 'no-right' */
const placeOf = async (transaction: Transaction<Schema>, principal: Principal, customerId: string | null) => {
  if (customerId === null) {
    if (!hasClaim(principal.permissions, 'user.get_sa')) throw noRightError('user.get_sa');
    return null;
  }
  const clinic = canUseClinic(principal, customerId) ? await lockClinicRow(transaction, customerId) : undefined;
  if (!clinic) throw new ProblemError('not-found');
  return clinic.country;
};

interface NewEmployee {
  readonly given: Role;
  readonly personalNumber: string;
}

/**
 * Locks the clinic and the roles, and returns the rules for new users with them, which throw 'own-rank', 'no-right' or 'invalid-request' and return
 * what is to be stored.
 * @throws ProblemError 'not-found' for a clinic that the caller may not use; 'no-right'
 */
export const newEmployeeRules = async (
  transaction: Transaction<Schema>,
  principal: Principal,
  { customerId, roleIds }: { readonly customerId: string | null; readonly roleIds: readonly string[] },
): Promise<(fields: { readonly roleId: string; readonly personalNumber: string }) => NewEmployee> => {
  const { own, roleOf } = await rolesOfStep(transaction, principal, roleIds);
  const country = await placeOf(transaction, principal, customerId);
  return ({ roleId, personalNumber }) => {
    const given = roleOf(roleId);
    if (!given) throw new ProblemError('invalid-request', [{ fieldKey: 'roles' }]);
    ensureMayGive(own, given, 'roles');
    ensureRoleFits(given, customerId);
    return { given, personalNumber: personalNumberOf(personalNumber, country, null) };
  };
};
