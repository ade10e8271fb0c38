import type { Kysely, Transaction } from 'kysely';
import { hasClaim } from '../../../contract/claims.ts';
import type { Role } from '../../../contract/roles.ts';
import type { Schema } from '../../db/schema.ts';
import { type DirectoryTokenRow, hasOtherAdministrator, lockDirectory } from '../../db/stores/directory-store.ts';
import { type EmployeeRow, employeeById, lockEmployee, lockRoleRows } from '../../db/stores/employee-store.ts';
import { builtInRole } from '../../db/stores/role-store.ts';
import { ensureMayGive } from '../employee-rules.ts';
import { identityLog, type OtherAction } from '../identity-log.ts';
import { ScimError } from './scim-error.ts';
import { noSuchUser } from './scim-user.ts';

/** The directory that calls: a token, and with it a clinic. */
export type Directory = Pick<DirectoryTokenRow, 'id' | 'customerId' | 'name' | 'invitesIn'>;

/** Context of changes by a directory, inside their transaction. */
export interface DirectoryStep {
  readonly transaction: Transaction<Schema>;
  readonly directory: Directory;
  /** The rank and the rights with which the directory acts. */
  readonly administrator: Role;
  readonly roleOf: (id: string) => Role | undefined;
  readonly note: (action: OtherAction, user: Named, more?: string) => Promise<void>;
}

type Named = Pick<EmployeeRow, 'id' | 'firstName' | 'lastName' | 'email'>;

/** Runs changes in one transaction, one after another for each clinic. Locks roles first, then accounts, as all changes of users do. */
export const inDirectory = <T>(
  db: Kysely<Schema>,
  directory: Directory,
  roleIds: (transaction: Transaction<Schema>) => Promise<readonly string[]>,
  work: (step: DirectoryStep) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (transaction) => {
    const { customerId } = directory;
    await lockDirectory(transaction, customerId);
    const { id } = await builtInRole(transaction, 'CustomerAdmin');
    const roles = await lockRoleRows(transaction, [id, ...(await roleIds(transaction))]);
    const roleOf = (roleId: string) => roles.find((role) => role.id === roleId);
    const administrator = roleOf(id);
    if (!administrator) throw new ScimError(404, 'Not found');
    const note: DirectoryStep['note'] = (action, { id: objectId, firstName, lastName, email }, more) =>
      identityLog(transaction).noteOfOperator({
        action,
        objectId,
        customerId,
        detail: `${directory.name}: ${firstName} ${lastName} <${email}>${more === undefined ? '' : `: ${more}`}`,
      });
    return work({ transaction, directory, administrator, roleOf, note });
  });

/** Returns a user of the clinic. @throws ScimError of status 404 */
export const userOfDirectory = async (
  db: Kysely<Schema>,
  { customerId }: Directory,
  id: string,
): Promise<EmployeeRow> => {
  const employee = await employeeById(db, id);
  if (employee?.customerId !== customerId) throw noSuchUser();
  return employee;
};

/** Locks a user whom a clinic administrator may change. @throws ScimError of status 404; ProblemError 'own-rank', 'no-right', as of the page */
export const lockUser = async (step: DirectoryStep, id: string): Promise<EmployeeRow> => {
  const { transaction, directory, administrator, roleOf } = step;
  await lockEmployee(transaction, await userOfDirectory(transaction, directory, id));
  const employee = await userOfDirectory(transaction, directory, id);
  const held = roleOf(employee.roleId);
  if (!held) throw new ScimError(409, 'The user was changed at the same time');
  ensureMayGive(administrator, held);
  return employee;
};

/** Ensures that another user of the clinic can change users. @throws ScimError of status 403 */
export const ensureNotLastAdministrator = async (step: DirectoryStep, employee: EmployeeRow): Promise<void> => {
  const held = step.roleOf(employee.roleId);
  if (!employee.isActive || !held || !hasClaim(held.claims, 'user.update')) return;
  const { id } = employee;
  if (await hasOtherAdministrator(step.transaction, { id, customerId: step.directory.customerId })) return;
  throw new ScimError(403, 'This is the last active administrator of the clinic');
};
