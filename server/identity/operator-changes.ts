import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';
import {
  type EmployeeRow,
  employeeByEmail,
  employeeById,
  lockEmployee,
  lockRoleRows,
  makeSuperAdministrator,
} from '../db/stores/employee-store.ts';
import { changeMasterKey, discardSecrets } from '../db/stores/encrypted-secrets.ts';
import { setPasswordHash } from '../db/stores/password-hashes.ts';
import { voidResetLinks } from '../db/stores/password-resets.ts';
import { removePin } from '../db/stores/pins.ts';
import { builtInRole } from '../db/stores/role-store.ts';
import { renewStamp } from '../db/stores/sessions.ts';
import { forgetCodesOf } from '../db/stores/sms-codes.ts';
import type { Vault } from '../db/vault.ts';
import type { NamedKey } from '../domain/named-key.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { signInAttempts } from './attempts.ts';
import { identityLog, type OtherAction } from './identity-log.ts';
import { rotateNow } from './key-generations.ts';
import { hashPassword } from './password.ts';
import { turnOffTwoFactor } from './two-factor.ts';

interface OperatorStep {
  readonly transaction: Transaction<Schema>;
  /** The locked row, as before the change. */
  readonly employee: EmployeeRow;
  /** Writes to the access log, with the command line as the actor. */
  readonly note: (action: OtherAction, more?: string) => Promise<void>;
}

/**
 * Creates the changes that the command line makes to users, whoever administers them. Each is one transaction with its access log entry and
 * takes effect on running servers with their next request. All throw ProblemError 'user-not-found' for an unknown address.
 */
export const operatorChanges = (db: Kysely<Schema>) => {
  const changeOf = (email: string, work: (step: OperatorStep) => Promise<void>): Promise<EmployeeRow> =>
    db.transaction().execute(async (transaction) => {
      const found = await employeeByEmail(transaction, email);
      if (!found) throw new ProblemError('user-not-found');
      // Roles before accounts, as in every change of a user.
      await lockRoleRows(transaction, [found.roleId, (await builtInRole(transaction, 'SuperAdmin')).id]);
      await lockEmployee(transaction, found);
      const employee = await employeeById(transaction, found.id);
      if (!employee) throw new ProblemError('user-not-found');
      const { firstName, lastName, customerId } = employee;
      const note: OperatorStep['note'] = async (action, more) => {
        const detail = `${firstName} ${lastName} <${employee.email}>${more === undefined ? '' : `: ${more}`}`;
        await identityLog(transaction).noteOfOperator({ action, customerId, objectId: employee.id, detail });
      };
      await work({ transaction, employee, note });
      return (await employeeById(transaction, employee.id)) ?? employee;
    });

  return {
    /** Ends all sessions of the user. */
    setPassword: async (email: string, password: string): Promise<EmployeeRow> => {
      const hash = await hashPassword(password);
      return changeOf(email, async ({ transaction, employee, note }) => {
        await setPasswordHash(transaction, employee.id, hash);
        if (await removePin(transaction, employee.id)) await note('pin.removed');
        await voidResetLinks(transaction, employee.id);
        await renewStamp(transaction, employee.id, { reason: 'password-changed' });
        await signInAttempts(transaction).forget(employee.email);
        await note('user.password-set');
      });
    },

    /** Also activates the user and takes them out of their clinic. Does nothing for an active super administrator. */
    makeSuperAdministrator: (email: string): Promise<EmployeeRow> =>
      changeOf(email, async ({ transaction, employee, note }) => {
        const role = await builtInRole(transaction, 'SuperAdmin');
        if (employee.roleId === role.id && employee.isActive) return;
        await makeSuperAdministrator(transaction, employee, role.id);
        await renewStamp(transaction, employee.id, { reason: 'rights-changed' });
        if (employee.roleId !== role.id) await note('user.edited', `${employee.roleName} → ${role.name}`);
        if (!employee.isActive) await note('user.activated');
      }),

    /** Turns two-factor off and ends all sessions of the user. Also discards a key that is not confirmed. */
    resetTwoFactor: (email: string): Promise<EmployeeRow> =>
      changeOf(email, async ({ transaction, employee, note }) => {
        await turnOffTwoFactor(transaction, employee.id);
        await signInAttempts(transaction).forgetCodes(employee.id);
        await note('two-factor.disabled');
      }),

    /** Forgets the wrong passwords and codes of the user. */
    unlock: (email: string): Promise<EmployeeRow> =>
      changeOf(email, async ({ transaction, employee, note }) => {
        const attempts = signInAttempts(transaction);
        await attempts.forget(employee.email);
        await attempts.forgetCodes(employee.id);
        await forgetCodesOf(transaction, employee.email);
        await note('user.unlocked');
      }),

    /** As `rotateNow`, with an access log entry. Returns the id of the new key. */
    rotateKeys: (vault: Vault, options: { readonly distrust: boolean }): Promise<string> =>
      db.transaction().execute(async (transaction) => {
        const kid = await rotateNow(transaction, vault, options);
        await identityLog(transaction).noteOfOperator({ action: 'signing-key.rotated' });
        return kid;
      }),

    /** As `changeMasterKey` of the secrets, with an access log entry. No server may run. */
    changeMasterKey: (from: NamedKey, to: NamedKey): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await changeMasterKey(transaction, from, to);
        await identityLog(transaction).noteOfOperator({ action: 'master-key.changed' });
      }),

    /** As `discardSecrets`, with access log entries. Returns the e-mail addresses of the users whose two-factor authentication is off now. */
    discardSecrets: (): Promise<readonly string[]> =>
      db.transaction().execute(async (transaction) => {
        const log = identityLog(transaction);
        const users = await discardSecrets(transaction);
        await log.noteOfOperator({ action: 'master-key.discarded' });
        for (const { id, email, customer_id } of users)
          await log.noteOfOperator({
            action: 'two-factor.disabled',
            customerId: customer_id,
            objectId: id,
            detail: email,
          });
        return users.map(({ email }) => email);
      }),
  };
};
