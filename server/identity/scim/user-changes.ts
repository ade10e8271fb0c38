import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import {
  changeEmployee,
  type EmployeeRow,
  employeeById,
  employeesOfClinic,
  insertEmployee,
  lockClinicRow,
  removeEmployee,
} from '../../db/stores/employee-store.ts';
import { noPasswordHash } from '../../db/stores/password-hashes.ts';
import { voidResetLinks } from '../../db/stores/password-resets.ts';
import { builtInRole } from '../../db/stores/role-store.ts';
import { renewStamp } from '../../db/stores/sessions.ts';
import { ensureMayGive, ensureRoleFits, withEmailProblem } from '../employee-rules.ts';
import {
  type Directory,
  type DirectoryStep,
  ensureNotLastAdministrator,
  inDirectory,
  lockUser,
  userOfDirectory,
} from './directory-step.ts';
import { ScimError } from './scim-error.ts';
import { type DirectoryUser, noSuchUser, userNameOf } from './scim-user.ts';

/** User names are unique in the clinic, without case. @throws ScimError 'uniqueness' */
const ensureNameFree = async ({ transaction, directory }: DirectoryStep, name: string, ownId: string | null) => {
  const others = await employeesOfClinic(transaction, directory.customerId);
  const key = name.toLowerCase();
  if (others.some((one) => one.id !== ownId && userNameOf(one).toLowerCase() === key))
    throw new ScimError(409, 'Another user of the clinic has this userName', 'uniqueness');
};

const fieldsOf = ({ userName, active: _, ...user }: DirectoryUser) => ({ ...user, azureUsername: userName });

/** Whether a directory's user is the same as the stored one. */
const isUnchanged = (before: EmployeeRow, user: DirectoryUser, isActive: boolean): boolean =>
  before.isActive === isActive &&
  userNameOf(before) === user.userName &&
  (['externalId', 'firstName', 'lastName', 'email', 'telephone'] as const).every((key) => before[key] === user[key]);

/** Creates the functions by which a directory changes the users of its clinic. Each is one transaction with its entries in the access log. */
export const directoryUsers = (db: Kysely<Schema>, directory: Directory) => {
  const roleOfUser = (id: string) => async (transaction: Kysely<Schema>) => {
    const { roleId } = await userOfDirectory(transaction, directory, id);
    return [roleId];
  };
  const stored = async ({ transaction }: DirectoryStep, id: string): Promise<EmployeeRow> => {
    const employee = await employeeById(transaction, id);
    if (!employee) throw noSuchUser();
    return employee;
  };

  return {
    /** Adds a user with the role of medical personnel, without a password. */
    create: (user: DirectoryUser): Promise<EmployeeRow> =>
      inDirectory(
        db,
        directory,
        async (transaction) => [(await builtInRole(transaction, 'Doctor')).id],
        async (step) => {
          const { transaction, administrator, note } = step;
          const { customerId } = directory;
          const role = await builtInRole(transaction, 'Doctor');
          ensureMayGive(administrator, role);
          ensureRoleFits(role, customerId);
          if (!(await lockClinicRow(transaction, customerId))) throw new ScimError(404, 'Not found');
          await ensureNameFree(step, user.userName, null);
          const fields = {
            ...fieldsOf(user),
            personalNumber: null,
            hiredSince: null,
            avatarLink: null,
            isActive: user.active ?? true,
            roleId: role.id,
          };
          const id = await withEmailProblem(
            insertEmployee(transaction, { ...fields, customerId, passwordHash: noPasswordHash }),
          );
          const created = await stored(step, id);
          await note('directory.user-created', created, role.name);
          return created;
        },
      ),

    /** `change` gets the stored user and returns the one to store. */
    change: (id: string, change: (before: EmployeeRow) => DirectoryUser): Promise<EmployeeRow> =>
      inDirectory(db, directory, roleOfUser(id), async (step) => {
        const { transaction, note } = step;
        const before = await lockUser(step, id);
        const user = change(before);
        const isActive = user.active ?? before.isActive;
        if (isUnchanged(before, user, isActive)) return before;
        if (!isActive) await ensureNotLastAdministrator(step, before);
        await ensureNameFree(step, user.userName, id);
        await withEmailProblem(changeEmployee(transaction, before, { ...before, ...fieldsOf(user), isActive }));
        const isSwitched = isActive !== before.isActive;
        if (isSwitched || user.email.toLowerCase() !== before.email.toLowerCase())
          await voidResetLinks(transaction, id);
        if (isSwitched) await renewStamp(transaction, id, { reason: isActive ? 'rights-changed' : 'account-inactive' });
        await note('directory.user-edited', before);
        if (isSwitched) await note(isActive ? 'directory.user-activated' : 'directory.user-deactivated', before);
        return stored(step, id);
      }),

    remove: (id: string): Promise<void> =>
      inDirectory(db, directory, roleOfUser(id), async (step) => {
        const employee = await lockUser(step, id);
        await ensureNotLastAdministrator(step, employee);
        await removeEmployee(step.transaction, id);
        await voidResetLinks(step.transaction, id);
        await renewStamp(step.transaction, id, { reason: 'account-inactive' });
        await step.note('directory.user-deleted', employee);
      }),
  };
};
