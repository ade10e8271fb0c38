import type { Kysely, Transaction } from 'kysely';
import type { Role } from '../../contract/roles.ts';
import type { Schema } from '../db/schema.ts';
import { type EmployeeRow, employeeById, lockEmployee, lockRoleRows } from '../db/stores/employee-store.ts';
import { roleOfAccount } from '../db/stores/role-store.ts';
import { canAccessEmployee } from '../domain/policy/can-access-employee.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { ensureMayGive } from './employee-rules.ts';
import { identityLog, type OtherAction } from './identity-log.ts';

type Person = Pick<EmployeeRow, 'id' | 'customerId' | 'firstName' | 'lastName' | 'email'>;

/** Context of one change of a user, inside its transaction. */
export interface EmployeeStep {
  readonly transaction: Transaction<Schema>;
  /** Role of the caller. */
  readonly own: Role;
  /** The locked row, as before the change. */
  readonly employee: EmployeeRow;
  readonly isOwnAccount: boolean;
  /** The role to assign; undefined when it does not exist. */
  readonly given: Role | undefined;
  readonly note: (action: OtherAction, more?: string) => Promise<void>;
}

/** Returns a function that logs a change with the clinic of the changed user. */
export const recorderOf =
  (transaction: Transaction<Schema>, principal: Principal, { id, customerId, firstName, lastName, email }: Person) =>
  (action: OtherAction, more?: string): Promise<void> =>
    identityLog(transaction).note({
      action,
      account: { id: principal.accountId, customer: customerId === null ? null : { id: customerId } },
      objectId: id,
      detail: `${firstName} ${lastName} <${email}>${more === undefined ? '' : `: ${more}`}`,
    });

/**
 * Locks and returns the caller's role and others until the transaction ends. @throws ProblemError 'not-signed-in' when the caller has no role any
 * more
 */
export const rolesOfStep = async (
  transaction: Transaction<Schema>,
  principal: Principal,
  others: readonly string[],
): Promise<{ own: Role; roleOf: (id: string | undefined) => Role | undefined }> => {
  const held = await roleOfAccount(transaction, principal.accountId);
  if (!held) throw new ProblemError('not-signed-in');
  const roles = await lockRoleRows(transaction, [held.id, ...others]);
  const roleOf = (id: string | undefined) => roles.find((role) => role.id === id);
  const own = roleOf(held.id);
  if (!own) throw new ProblemError('not-signed-in');
  return { own, roleOf };
};

/**
 * Changes a user whom the caller can access and whose role the caller could assign. Locks the roles first, then the account.
 * @param roleId of a role that the change may assign
 * @throws ProblemError 'user-not-found'; 'own-rank' and 'no-right' as `ensureMayGive`; 'conflict' when the user's role changed concurrently
 */
export const changeEmployeeOf = (
  db: Kysely<Schema>,
  principal: Principal,
  { id, roleId }: { readonly id: string; readonly roleId?: string | undefined },
  work: (step: EmployeeStep) => Promise<void>,
): Promise<EmployeeRow> =>
  db.transaction().execute(async (transaction) => {
    const accessibleEmployee = async () => {
      const employee = await employeeById(transaction, id);
      if (!employee || !canAccessEmployee(principal, employee)) throw new ProblemError('user-not-found');
      return employee;
    };
    const seen = await accessibleEmployee();
    const { own, roleOf } = await rolesOfStep(transaction, principal, [seen.roleId, ...(roleId ? [roleId] : [])]);
    await lockEmployee(transaction, seen);
    const employee = await accessibleEmployee();
    const held = roleOf(employee.roleId);
    if (!held) throw new ProblemError('conflict');
    const isOwnAccount = id === principal.accountId;
    if (!isOwnAccount) ensureMayGive(own, held);
    const note = recorderOf(transaction, principal, employee);
    await work({ transaction, own, employee, isOwnAccount, given: roleOf(roleId), note });
    return (await employeeById(transaction, id)) ?? employee;
  });
