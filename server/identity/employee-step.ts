import type { Kysely, Transaction } from 'kysely';
import type { AccessAction } from '../../contract/access-log.ts';
import type { Role } from '../../contract/roles.ts';
import type { Schema } from '../db/schema.ts';
import { type EmployeeRow, employeeById, holdRoles, lockEmployee } from '../db/stores/employee-store.ts';
import { roleOfAccount } from '../db/stores/role-store.ts';
import { mayReachEmployee } from '../policy/may-reach-employee.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import { ensureMayGive } from './employee-rules.ts';
import { identityLog } from './identity-log.ts';

type Person = Pick<EmployeeRow, 'id' | 'customerId' | 'firstName' | 'lastName' | 'email'>;

/** One change of a person, in its transaction. */
export interface EmployeeStep {
  readonly transaction: Transaction<Schema>;
  /** The role of whoever makes the change. */
  readonly own: Role;
  /** As they are now, and until the change is made. */
  readonly employee: EmployeeRow;
  readonly isOwnAccount: boolean;
  /** A role that may be given; undefined when there is none of that id. */
  readonly given: Role | undefined;
  readonly note: (action: AccessAction, more?: string) => Promise<void>;
}

/** Entries stand with the clinic of the person who was changed, whoever did it. */
export const noteOf =
  (transaction: Transaction<Schema>, principal: Principal, { id, customerId, firstName, lastName, email }: Person) =>
  (action: AccessAction, more?: string): Promise<void> =>
    identityLog(transaction).note({
      action,
      account: { id: principal.accountId, customer: customerId === null ? null : { id: customerId } },
      objectId: id,
      detail: `${firstName} ${lastName} <${email}>${more === undefined ? '' : `: ${more}`}`,
    });

/** The caller's role and another one, as they stay until the transaction ends. @throws Refusal 'not-signed-in' when the caller has none any more */
export const rolesOfStep = async (
  transaction: Transaction<Schema>,
  principal: Principal,
  others: readonly string[],
): Promise<{ own: Role; roleOf: (id: string | undefined) => Role | undefined }> => {
  const held = await roleOfAccount(transaction, principal.accountId);
  if (!held) throw new Refusal('not-signed-in');
  const roles = await holdRoles(transaction, [held.id, ...others]);
  const roleOf = (id: string | undefined) => roles.find((role) => role.id === id);
  const own = roleOf(held.id);
  if (!own) throw new Refusal('not-signed-in');
  return { own, roleOf };
};

/**
 * Changes a person whom the caller meets and whose role they could have given: roles first, then the account, are held as they are.
 * @param roleId of a role that the change may give
 * @throws Refusal 'user-not-found'; 'own-rank' and 'no-right' as `ensureMayGive`; 'conflict' when their role changed in this moment
 */
export const changeEmployeeOf = (
  db: Kysely<Schema>,
  principal: Principal,
  { id, roleId }: { readonly id: string; readonly roleId?: string | undefined },
  work: (step: EmployeeStep) => Promise<void>,
): Promise<EmployeeRow> =>
  db.transaction().execute(async (transaction) => {
    const reached = async () => {
      const employee = await employeeById(transaction, id);
      if (!employee || !mayReachEmployee(principal, employee)) throw new Refusal('user-not-found');
      return employee;
    };
    const seen = await reached();
    const { own, roleOf } = await rolesOfStep(transaction, principal, [seen.roleId, ...(roleId ? [roleId] : [])]);
    await lockEmployee(transaction, seen);
    const employee = await reached();
    const held = roleOf(employee.roleId);
    if (!held) throw new Refusal('conflict');
    const isOwnAccount = id === principal.accountId;
    if (!isOwnAccount) ensureMayGive(own, held);
    const note = noteOf(transaction, principal, employee);
    await work({ transaction, own, employee, isOwnAccount, given: roleOf(roleId), note });
    return (await employeeById(transaction, id)) ?? employee;
  });
