import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type {
  Customer,
  CustomerDependents,
  customerCreate,
  customerUpdate,
  reassignUser,
} from '../../contract/customers.ts';
import { recipientDetail } from '../../contract/recipient.ts';
import type { Schema } from '../db/schema.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import {
  closeCustomer,
  insertCustomer,
  moveEmployee,
  unfinishedImports,
  updateCustomer,
} from '../db/stores/customer-edits.ts';
import { customerById } from '../db/stores/customer-store.ts';
import { lockClinicRow } from '../db/stores/employee-store.ts';
import { renewStamp } from '../db/stores/sessions.ts';
import { endLinksOfClinic } from '../db/stores/shared-links.ts';
import { statisticsOf } from '../db/stores/statistics-store.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { changeEmployeeOf, recorderOf } from './employee-step.ts';
import { identityLog, type OtherAction } from './identity-log.ts';

type Body<Route extends { readonly body?: z.ZodType }> = z.output<NonNullable<Route['body']>>;

/** @throws ProblemError 'not-found', also for a clinic that the caller may not use */
export const requireClinic = async (db: Kysely<Schema>, principal: Principal, id: string): Promise<Customer> => {
  const clinic = canUseClinic(principal, id) ? await customerById(db, id) : undefined;
  if (!clinic) throw new ProblemError('not-found');
  return clinic;
};

/** Creates the functions that change clinics. Each is one transaction that includes its entry in the clinic's access log. */
export const customerChanges = (db: Kysely<Schema>) => {
  const noteTo =
    (transaction: Kysely<Schema>, { accountId }: Principal) =>
    (action: OtherAction, { id, name }: Pick<Customer, 'id' | 'name'>): Promise<void> =>
      identityLog(transaction).note({
        action,
        account: { id: accountId, customer: { id } },
        objectId: id,
        detail: name,
      });

  /** Ends the links of a clinic that does not share, each with its entry in the access log of the patient. */
  const endLinks = async (transaction: Kysely<Schema>, { accountId }: Principal, customerId: string): Promise<void> => {
    const ended = await endLinksOfClinic(transaction, customerId);
    await insertAccesses(
      transaction,
      ended.map(({ id, patient_id, recipient, purpose }) => ({
        accountId,
        customerId,
        patientId: patient_id,
        action: 'share.ended',
        objectId: id,
        detail: recipientDetail({ recipient, purpose }),
        at: new Date(),
      })),
    );
  };

  return {
    create: (principal: Principal, fields: Body<typeof customerCreate>): Promise<Customer> =>
      db.transaction().execute(async (transaction) => {
        const clinic = await insertCustomer(transaction, fields);
        await noteTo(transaction, principal)('clinic.created', clinic);
        return clinic;
      }),

    /** @throws ProblemError 'not-found'; 'conflict' when the clinic was changed since the caller read it */
    update: async (
      principal: Principal,
      { id, version, ...fields }: Body<typeof customerUpdate>,
    ): Promise<Customer> => {
      await requireClinic(db, principal, id);
      return db.transaction().execute(async (transaction) => {
        const clinic = await updateCustomer(transaction, { id, version }, fields);
        if (!clinic) throw new ProblemError('conflict');
        await noteTo(transaction, principal)('clinic.edited', clinic);
        if (!clinic.sharesByLink) await endLinks(transaction, principal, id);
        return clinic;
      });
    },

    /** Returns the number of records that are hidden when the clinic is deleted. @throws ProblemError 'not-found' */
    dependents: async (principal: Principal, id: string): Promise<CustomerDependents> => {
      await requireClinic(db, principal, id);
      const { users, patients, studies, images } = await statisticsOf(db, { customerId: id });
      return { users: users.total, patients, studies, images, imports: await unfinishedImports(db, id) };
    },

    /** @throws ProblemError 'not-found'; 'own-clinic'; 'conflict' when the clinic was changed since the caller read it */
    remove: async (principal: Principal, id: string, version: number): Promise<void> => {
      await requireClinic(db, principal, id);
      if (id === principal.customerId) throw new ProblemError('own-clinic');
      await db.transaction().execute(async (transaction) => {
        const name = await closeCustomer(transaction, { id, version }, principal.accountId);
        if (name === undefined) throw new ProblemError('conflict');
        await noteTo(transaction, principal)('clinic.deleted', { id, name });
      });
    },

    /**
     * Moves a user to another clinic and logs it there too. Does nothing when the user is already there.
     * @throws ProblemError 'user-not-found', 'own-rank' and 'no-right' as in `changeEmployeeOf`; 'own-account'; 'cannot-move-user' for a super
     * administrator; 'not-found' for a clinic that the caller may not use
     */
    reassign: async (principal: Principal, { userId, newCustomerId }: Body<typeof reassignUser>): Promise<void> => {
      await changeEmployeeOf(db, principal, { id: userId }, async ({ transaction, employee, isOwnAccount, note }) => {
        if (employee.customerId === null) throw new ProblemError('cannot-move-user');
        if (isOwnAccount) throw new ProblemError('own-account');
        const isTheirs = canUseClinic(principal, newCustomerId) && (await lockClinicRow(transaction, newCustomerId));
        if (!isTheirs) throw new ProblemError('not-found');
        if (employee.customerId === newCustomerId) return;
        await moveEmployee(transaction, userId, newCustomerId);
        await renewStamp(transaction, userId, { reason: 'rights-changed' });
        await note('user.moved');
        await recorderOf(transaction, principal, { ...employee, customerId: newCustomerId })('user.moved');
      });
    },
  };
};
