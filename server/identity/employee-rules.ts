import { fitsClinic, isWithinRank, rightsBeyond } from '../../contract/giving-roles.ts';
import { normalPersonalNumber, personalNumberProblem } from '../../contract/personal-numbers.ts';
import type { Role } from '../../contract/roles.ts';
import type { EmployeeRow } from '../db/stores/employee-store.ts';
import { Refusal, withoutRight } from '../refusal.ts';

/** @throws Refusal 'own-rank'; 'no-right' with the claim that is missing */
export const ensureMayGive = (own: Role, role: Role, fieldKey?: string): void => {
  if (!isWithinRank(own, role)) throw new Refusal('own-rank', fieldKey === undefined ? undefined : [{ fieldKey }]);
  const [missing] = rightsBeyond(own, role);
  if (missing) throw withoutRight(missing);
};

/** Super administrators belong to no clinic, and everybody else to one. @throws Refusal 'invalid-request' of the field roles */
export const ensureRoleFits = (role: Role, customerId: string | null): void => {
  if (!fitsClinic(role, customerId)) throw new Refusal('invalid-request', [{ fieldKey: 'roles' }]);
};

/**
 * The number as it is stored. One that stays as it was is not looked at: whoever moved from a clinic in another country keeps theirs.
 * @throws Refusal 'invalid-request' of the field personalNumber, with the rule that it breaks and the country whose rule it is
 */
export const personalNumberOf = (text: string, country: EmployeeRow['country'], before: string | null): string => {
  const number = normalPersonalNumber(text);
  if (before !== null && number === normalPersonalNumber(before)) return before;
  const rule = personalNumberProblem(text, country);
  if (rule !== null)
    throw new Refusal('invalid-request', [
      { fieldKey: 'personalNumber', vars: { rule, ...(country === null ? {} : { country }) } },
    ]);
  return number;
};
