import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { AccessAction } from '../../contract/access-log.ts';
import type {
  Customer,
  CustomerDependents,
  customerCreate,
  customerUpdate,
  reassignUser,
} from '../../contract/customers.ts';
import type { Schema } from '../db/schema.ts';
import {
  closeCustomer,
  insertCustomer,
  moveEmployee,
  unfinishedImports,
  updateCustomer,
} from '../db/stores/customer-edits.ts';
import { customerById } from '../db/stores/customer-store.ts';
import { holdClinic } from '../db/stores/employee-store.ts';
import { renewStamp } from '../db/stores/sessions.ts';
import { statisticsOf } from '../db/stores/statistics-store.ts';
import { mayUseClinic } from '../policy/may-use-clinic.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import { changeEmployeeOf, noteOf } from './employee-step.ts';
import { identityLog } from './identity-log.ts';

type Body<Route extends { readonly body?: z.ZodType }> = z.output<NonNullable<Route['body']>>;

/** Every change of clinics: one transaction, which stands in the access log of the clinic or did not happen. */
export const customerChanges = (db: Kysely<Schema>) => {
  const noteTo =
    (transaction: Kysely<Schema>, { accountId }: Principal) =>
    (action: AccessAction, { id, name }: Pick<Customer, 'id' | 'name'>): Promise<void> =>
      identityLog(transaction).note({
        action,
        account: { id: accountId, customer: { id } },
        objectId: id,
        detail: name,
      });

  /** @throws Refusal 'not-found', also for a clinic that the caller may not use */
  const clinicInReach = async (principal: Principal, id: string): Promise<Customer> => {
    const clinic = mayUseClinic(principal, id) ? await customerById(db, id) : undefined;
    if (!clinic) throw new Refusal('not-found');
    return clinic;
  };

  return {
    create: (principal: Principal, fields: Body<typeof customerCreate>): Promise<Customer> =>
      db.transaction().execute(async (transaction) => {
        const clinic = await insertCustomer(transaction, fields);
        await noteTo(transaction, principal)('clinic.created', clinic);
        return clinic;
      }),

    /** @throws Refusal 'not-found'; 'conflict' when it is not the clinic that the caller saw */
    update: async (
      principal: Principal,
      { id, version, ...fields }: Body<typeof customerUpdate>,
    ): Promise<Customer> => {
      await clinicInReach(principal, id);
      return db.transaction().execute(async (transaction) => {
        const clinic = await updateCustomer(transaction, { id, version }, fields);
        if (!clinic) throw new Refusal('conflict');
        await noteTo(transaction, principal)('clinic.edited', clinic);
        return clinic;
      });
    },

    /** What goes out of sight with a clinic. @throws Refusal 'not-found' */
    dependents: async (principal: Principal, id: string): Promise<CustomerDependents> => {
      await clinicInReach(principal, id);
      const { users, patients, studies, images } = await statisticsOf(db, { customerId: id });
      return { users: users.total, patients, studies, images, imports: await unfinishedImports(db, id) };
    },

    /** @throws Refusal 'not-found'; 'own-clinic'; 'conflict' when it is not the clinic that the caller saw */
    remove: async (principal: Principal, id: string, version: number): Promise<void> => {
      await clinicInReach(principal, id);
      if (id === principal.customerId) throw new Refusal('own-clinic');
      await db.transaction().execute(async (transaction) => {
        const name = await closeCustomer(transaction, { id, version });
        if (name === undefined) throw new Refusal('conflict');
        await noteTo(transaction, principal)('clinic.deleted', { id, name });
      });
    },

    /**
     * Moves a person to another clinic, in whose log it stands too. Moving them where they are changes nothing.
     * @throws Refusal 'user-not-found', 'own-rank' and 'no-right' as every change of a person; 'own-account'; 'cannot-move-user' for a super
     * administrator; 'not-found' for a clinic that the caller may not use
     */
    reassign: async (principal: Principal, { userId, newCustomerId }: Body<typeof reassignUser>): Promise<void> => {
      await changeEmployeeOf(db, principal, { id: userId }, async ({ transaction, employee, isOwnAccount, note }) => {
        if (employee.customerId === null) throw new Refusal('cannot-move-user');
        if (isOwnAccount) throw new Refusal('own-account');
        const isTheirs = mayUseClinic(principal, newCustomerId) && (await holdClinic(transaction, newCustomerId));
        if (!isTheirs) throw new Refusal('not-found');
        if (employee.customerId === newCustomerId) return;
        await moveEmployee(transaction, userId, newCustomerId);
        await renewStamp(transaction, userId);
        await note('user.moved');
        await noteOf(transaction, principal, { ...employee, customerId: newCustomerId })('user.moved');
      });
    },
  };
};
