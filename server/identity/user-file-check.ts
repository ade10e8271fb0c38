import type { Kysely } from 'kysely';
import { uuid } from '../../contract/bounds.ts';
import type { CheckedLine, RejectedLine, UserFileLine } from '../../contract/user-files.ts';
import { accountCreate } from '../../contract/users.ts';
import type { Schema } from '../db/schema.ts';
import { clinicsOfEmails } from '../db/stores/employee-store.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { fieldErrors } from '../route-binding.ts';
import { identityLog } from './identity-log.ts';
import { newEmployeeRules } from './new-employee.ts';

export interface UserLines {
  readonly customerId: string;
  readonly lines: readonly UserFileLine[];
}

/** Returns the body with which the form would add this user, who is invited. @throws ProblemError 'invalid-request' */
export const createBodyOf = ({ line: _, ...fields }: UserFileLine, customerId: string) => {
  const body = accountCreate.body?.safeParse({ ...fields, isActive: true, customerId, avatarLink: null });
  if (!body?.success) throw new ProblemError('invalid-request', body ? fieldErrors(body.error) : []);
  return body.data;
};

/** @throws the error, if it is none of a rule */
export const rejectionOf = (line: number, error: unknown): RejectedLine => {
  if (!(error instanceof ProblemError)) throw error;
  const { code, errors = [], claims = [] } = error;
  return { line, outcome: 'rejected', code, errors: [...errors], claims: [...claims] };
};

/** Returns the earlier line of the same e-mail address, for each line that repeats one. */
const repetitionsIn = (lines: readonly UserFileLine[]): ReadonlyMap<number, number> => {
  const first = new Map<string, number>();
  const repeated = new Map<number, number>();
  for (const { line, email } of lines) {
    const key = email.toLowerCase();
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, line);
    else repeated.set(line, earlier);
  }
  return repeated;
};

/**
 * Returns what adding each line would do. Addresses of other clinics are taken, as in the form; the reply does not tell whose they are.
 * @throws ProblemError 'not-found' for a clinic that the caller may not use
 */
export const checkUserLines = (
  db: Kysely<Schema>,
  principal: Principal,
  { customerId, lines }: UserLines,
): Promise<CheckedLine[]> =>
  db.transaction().execute(async (transaction) => {
    const roleIds = [...new Set(lines.flatMap(({ roles }) => roles.flatMap((id) => uuid.safeParse(id).data ?? [])))];
    const rules = await newEmployeeRules(transaction, principal, { customerId, roleIds });
    const emails = lines.map(({ email }) => email.toLowerCase());
    const taken = await clinicsOfEmails(transaction, emails);
    const repeated = repetitionsIn(lines);
    const checked = (line: UserFileLine): CheckedLine => {
      const clinic = taken.get(line.email.toLowerCase());
      const earlier = repeated.get(line.line);
      if (earlier !== undefined)
        throw new ProblemError('email-taken', [{ fieldKey: 'email', vars: { repeatedLine: earlier } }]);
      if (clinic === customerId) return { line: line.line, outcome: 'exists' };
      const { roles, ...fields } = createBodyOf(line, customerId);
      rules({ ...fields, roleId: roles[0] ?? '' });
      if (clinic !== undefined) throw new ProblemError('email-taken', [{ fieldKey: 'email' }]);
      return { line: line.line, outcome: 'new' };
    };
    const results = lines.map((line) => {
      try {
        return checked(line);
      } catch (error) {
        return rejectionOf(line.line, error);
      }
    });
    await identityLog(transaction).note({
      action: 'user.file-checked',
      account: { id: principal.accountId, customer: { id: customerId } },
      objectId: customerId,
      detail: String(lines.length),
    });
    return results;
  });
