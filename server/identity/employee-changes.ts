import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { hasClaim } from '../../contract/claims.ts';
import type { SessionEndReason } from '../../contract/sign-in.ts';
import type { accountCreate, accountUpdate, changeUserStatus, setPassword } from '../../contract/users.ts';
import type { Schema } from '../db/schema.ts';
import { policyFor } from '../db/stores/account-policies.ts';
import { customerById } from '../db/stores/customer-store.ts';
import {
  changeEmployee,
  type EmployeeRow,
  employeeById,
  hasOtherSuperAdministrator,
  insertEmployee,
  removeEmployee,
  setEmployeeActive,
} from '../db/stores/employee-store.ts';
import { noPasswordHash, setPasswordHash } from '../db/stores/password-hashes.ts';
import { voidResetLinks } from '../db/stores/password-resets.ts';
import { removePin } from '../db/stores/pins.ts';
import { renewStamp } from '../db/stores/sessions.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { noRightError, ProblemError } from '../domain/problem-error.ts';
import { signInAttempts } from './attempts.ts';
import { ensureMayGive, ensureRoleFits, personalNumberOf, withEmailProblem } from './employee-rules.ts';
import { changeEmployeeOf, type EmployeeStep, recorderOf } from './employee-step.ts';
import { newEmployeeRules } from './new-employee.ts';
import { ensureAllowedPassword } from './new-password.ts';
import { hashPassword } from './password.ts';

type Body<Route extends { readonly body?: z.ZodType }> = z.output<NonNullable<Route['body']>>;

/** Why the sessions of a changed user end. */
const reasonOf = (isActive: boolean): SessionEndReason => (isActive ? 'rights-changed' : 'account-inactive');

/** Ensures that another super administrator remains. Concurrent calls are serialized by the row lock. */
const ensureNotLast = async ({ transaction, employee }: EmployeeStep): Promise<void> => {
  if (employee.customerId !== null || !employee.isActive) return;
  if (!(await hasOtherSuperAdministrator(transaction, employee.id))) throw new ProblemError('last-super-administrator');
};

const fieldsOf = ({ roles, ...body }: Body<typeof accountCreate> | Body<typeof accountUpdate>) => ({
  ...body,
  roleId: roles[0] ?? '',
});

/**
 * Creates the functions that change users. Each is one transaction that includes its access log entry. Callers can only change users that
 * `canAccessEmployee` allows and whose role they could assign (`contract/role-assignment.ts`).
 */
export const employeeChanges = (db: Kysely<Schema>) => {
  /** @throws ProblemError 'own-account' for one's own status */
  const ensureMaySwitch = async (principal: Principal, step: EmployeeStep, isActive: boolean): Promise<void> => {
    if (step.isOwnAccount) throw new ProblemError('own-account');
    if (!hasClaim(principal.permissions, 'user.change_status')) throw noRightError('user.change_status');
    if (!isActive) await ensureNotLast(step);
  };

  /** Returns the new role of an edit, or null when the role stays. */
  const newRoleOf = ({ own, employee, isOwnAccount, given }: EmployeeStep) => {
    if (given?.id === employee.roleId) return null;
    if (isOwnAccount) throw new ProblemError('own-account', [{ fieldKey: 'roles' }]);
    if (!given) throw new ProblemError('invalid-request', [{ fieldKey: 'roles' }]);
    ensureRoleFits(given, employee.customerId);
    ensureMayGive(own, given, 'roles');
    return given;
  };

  return {
    /** @throws ProblemError 'email-taken', 'own-rank', 'no-right'; 'not-found' for the clinic; 'invalid-request' for the password */
    create: async (principal: Principal, { password, ...body }: Body<typeof accountCreate>): Promise<EmployeeRow> => {
      if (password !== undefined) {
        const fields = fieldsOf(body);
        const clinic = fields.customerId === null ? undefined : await customerById(db, fields.customerId);
        await ensureAllowedPassword(await policyFor(db, fields), password, body, clinic?.name ?? null);
      }
      const passwordHash = password === undefined ? noPasswordHash : await hashPassword(password);
      return db.transaction().execute(async (transaction) => {
        const fields = fieldsOf(body);
        const { customerId, roleId } = fields;
        const rules = await newEmployeeRules(transaction, principal, { customerId, roleIds: [roleId] });
        const { given, personalNumber } = rules(fields);
        const id = await withEmailProblem(
          insertEmployee(transaction, { ...fields, personalNumber, customerId, passwordHash }),
        );
        await recorderOf(transaction, principal, { ...fields, id, customerId })('user.created', given.name);
        const created = await employeeById(transaction, id);
        if (!created) throw new ProblemError('user-not-found');
        return created;
      });
    },

    /** @throws ProblemError 'conflict' when the user was changed since the caller read it; 'email-taken', 'own-account' */
    update: (principal: Principal, body: Body<typeof accountUpdate>): Promise<EmployeeRow> =>
      changeEmployeeOf(db, principal, { id: body.id, roleId: body.roles[0] }, async (step) => {
        const { transaction, employee, note } = step;
        const fields = fieldsOf(body);
        if (body.version !== employee.version || body.securityStamp.toLowerCase() !== employee.securityStamp)
          throw new ProblemError('conflict');
        if (body.customerId !== employee.customerId)
          throw new ProblemError('invalid-request', [{ fieldKey: 'customerId' }]);
        const role = newRoleOf(step);
        const isSwitched = body.isActive !== employee.isActive;
        if (isSwitched) await ensureMaySwitch(principal, step, body.isActive);
        const personalNumber = personalNumberOf(fields.personalNumber, employee.country, employee.personalNumber);
        await withEmailProblem(changeEmployee(transaction, employee, { ...fields, personalNumber }));
        // Reset links sent to the previous address become invalid.
        if (fields.email.toLowerCase() !== employee.email.toLowerCase()) await voidResetLinks(transaction, employee.id);
        if (role || isSwitched) await renewStamp(transaction, employee.id, { reason: reasonOf(body.isActive) });
        await note('user.edited', role ? `${employee.roleName} → ${role.name}` : undefined);
        if (isSwitched) await note(body.isActive ? 'user.activated' : 'user.deactivated');
      }),

    /** @throws ProblemError 'own-account', 'last-super-administrator' */
    changeStatus: (principal: Principal, { id, status }: Body<typeof changeUserStatus>): Promise<EmployeeRow> =>
      changeEmployeeOf(db, principal, { id }, async (step) => {
        const { transaction, employee, note } = step;
        if (employee.isActive === status) return;
        await ensureMaySwitch(principal, step, status);
        await setEmployeeActive(transaction, employee, status);
        await voidResetLinks(transaction, id);
        await renewStamp(transaction, id, { reason: reasonOf(status) });
        await note(status ? 'user.activated' : 'user.deactivated');
      }),

    /** @throws ProblemError 'own-account', whose sessions `sessionsEnd` ends */
    endSessions: async (principal: Principal, id: string): Promise<void> => {
      await changeEmployeeOf(db, principal, { id }, async ({ transaction, isOwnAccount, note }) => {
        if (isOwnAccount) throw new ProblemError('own-account');
        await renewStamp(transaction, id, { reason: 'ended-by-administrator' });
        await note('user.sessions-ended');
      });
    },

    /** @throws ProblemError 'own-account', 'last-super-administrator' */
    remove: async (principal: Principal, id: string): Promise<void> => {
      await changeEmployeeOf(db, principal, { id }, async (step) => {
        if (step.isOwnAccount) throw new ProblemError('own-account');
        await ensureNotLast(step);
        await removeEmployee(step.transaction, id);
        await voidResetLinks(step.transaction, id);
        await renewStamp(step.transaction, id, { reason: 'account-inactive' });
        await step.note('user.deleted');
      });
    },

    /** Sets the password and ends the user's sessions. @throws ProblemError 'own-account', as one's own needs the current password */
    setPassword: async (principal: Principal, { id, password }: Body<typeof setPassword>): Promise<void> => {
      if (id === principal.accountId) throw new ProblemError('own-account');
      const hash = await hashPassword(password);
      await changeEmployeeOf(db, principal, { id }, async ({ transaction, employee, note }) => {
        await ensureAllowedPassword(await policyFor(transaction, employee), password, employee, employee.customerName);
        await setPasswordHash(transaction, id, hash);
        if (await removePin(transaction, id)) await note('pin.removed');
        await voidResetLinks(transaction, id);
        await renewStamp(transaction, id, { reason: 'password-changed' });
        await signInAttempts(transaction).forget(employee.email);
        await note('user.password-set');
      });
    },
  };
};

export type EmployeeChanges = ReturnType<typeof employeeChanges>;
