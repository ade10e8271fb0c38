import { normalPersonalNumber, personalNumberProblem } from '../../contract/personal-numbers.ts';
import { excessRights, fitsClinic, isWithinRank } from '../../contract/role-assignment.ts';
import type { Role } from '../../contract/roles.ts';
import { type EmployeeRow, isEmailTaken } from '../db/stores/employee-store.ts';
import { noRightError, ProblemError } from '../domain/problem-error.ts';

/** Awaits a write of an e-mail address, which is unique among users. @throws ProblemError 'email-taken' */
export const withEmailProblem = async <T>(writing: Promise<T>): Promise<T> => {
  try {
    return await writing;
  } catch (error) {
    throw isEmailTaken(error) ? new ProblemError('email-taken', [{ fieldKey: 'email' }]) : error;
  }
};

/** Ensures that the caller may assign the role. @throws ProblemError 'own-rank'; 'no-right' with the missing claim */
export const ensureMayGive = (own: Role, role: Role, fieldKey?: string): void => {
  if (!isWithinRank(own, role)) throw new ProblemError('own-rank', fieldKey === undefined ? undefined : [{ fieldKey }]);
  const [missing] = excessRights(own, role);
  if (missing) throw noRightError(missing);
};

/** Ensures that super administrators have no clinic and everyone else has one. @throws ProblemError 'invalid-request' for the field roles */
export const ensureRoleFits = (role: Role, customerId: string | null): void => {
  if (!fitsClinic(role, customerId)) throw new ProblemError('invalid-request', [{ fieldKey: 'roles' }]);
};

/**
 * Returns the normalized personal number. An unchanged number is not validated, because a user may have moved from a clinic in another country.
 * @throws ProblemError 'invalid-request' for the field personalNumber, with the violated rule and its country
 */
export const personalNumberOf = (text: string, country: EmployeeRow['country'], before: string | null): string => {
  const number = normalPersonalNumber(text);
  if (before !== null && number === normalPersonalNumber(before)) return before;
  const rule = personalNumberProblem(text, country);
  if (rule !== null)
    throw new ProblemError('invalid-request', [
      { fieldKey: 'personalNumber', vars: { rule, ...(country === null ? {} : { country }) } },
    ]);
  return number;
};
