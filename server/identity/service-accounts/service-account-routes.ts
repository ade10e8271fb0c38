import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Kysely, Transaction } from 'kysely';
import type { z } from 'zod';
import {
  type serviceAccount,
  serviceAccountCreate,
  serviceAccountRevoke,
  serviceAccounts,
  serviceAccountsAtMost,
} from '../../../contract/service-accounts.ts';
import { serviceScopes } from '../../../contract/service-scopes.ts';
import type { Schema } from '../../db/schema.ts';
import {
  insertServiceAccount,
  lockServiceAccounts,
  removeServiceClinic,
  revokeServiceAccount,
  type ServiceAccountRow,
  serviceAccountById,
  serviceAccountsOf,
} from '../../db/stores/service-accounts.ts';
import { canUseClinic } from '../../domain/policy/can-use-clinic.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { type Binding, bind } from '../../route-binding.ts';
import { requireClinic } from '../customer-changes.ts';
import { ensureAdministrator } from '../ensure-administrator.ts';
import { identityLog, type OtherAction } from '../identity-log.ts';

/** Clinics that the caller may not use are counted only. */
const accountOf = (row: ServiceAccountRow, principal: Principal): z.output<typeof serviceAccount> => {
  const clinics = row.clinics.filter(({ id }) => canUseClinic(principal, id));
  return {
    id: row.id,
    name: row.name,
    scopes: serviceScopes.filter((scope) => row.scopes.includes(scope)),
    atOnce: row.atOnce,
    clinics,
    otherClinics: row.clinics.length - clinics.length,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    usedAt: row.usedAt?.toISOString() ?? null,
  };
};

/** Writes an entry to the access log of each clinic. */
const note = async (
  transaction: Transaction<Schema>,
  { accountId }: Principal,
  action: OtherAction,
  { id, name, customerIds }: { readonly id: string; readonly name: string; readonly customerIds: readonly string[] },
): Promise<void> => {
  for (const customerId of customerIds)
    await identityLog(transaction).note({
      action,
      account: { id: accountId, customer: { id: customerId } },
      objectId: id,
      detail: name,
    });
};

/** @throws ProblemError 'invalid-request' for a clinic that has as many as it may have */
const ensureRoom = async (transaction: Transaction<Schema>, customerIds: readonly string[]): Promise<void> => {
  for (const customerId of customerIds)
    if ((await serviceAccountsOf(transaction, customerId)).length >= serviceAccountsAtMost)
      throw new ProblemError('invalid-request', [{ fieldKey: 'accounts', vars: { max: serviceAccountsAtMost } }]);
};

/** Registers the routes by which administrators make and revoke the service accounts of their clinics. */
export const serviceAccountRoutes = (
  server: FastifyInstance,
  { db, binding }: { readonly db: Kysely<Schema>; readonly binding: Binding },
): void => {
  bind(server, binding, serviceAccounts, async ({ principal, params: { customerId } }) => {
    await requireClinic(db, principal, customerId);
    return { accounts: (await serviceAccountsOf(db, customerId)).map((row) => accountOf(row, principal)) };
  });

  bind(server, binding, serviceAccountCreate, async ({ principal, body }) => {
    const { customerIds, name } = body;
    for (const id of customerIds) await requireClinic(db, principal, id);
    return db.transaction().execute(async (transaction) => {
      await ensureAdministrator(transaction, principal);
      await lockServiceAccounts(transaction, customerIds);
      await ensureRoom(transaction, customerIds);
      const secret = `dentarium_service_${randomBytes(32).toString('base64url')}`;
      const id = await insertServiceAccount(transaction, { ...body, secret, createdBy: principal.accountId });
      await note(transaction, principal, 'service-account.created', { id, name, customerIds });
      const made = await serviceAccountById(transaction, id);
      if (!made) throw new ProblemError('not-found');
      return { account: accountOf(made, principal), secret };
    });
  });

  bind(server, binding, serviceAccountRevoke, async ({ principal, body: { customerId, id } }) => {
    await requireClinic(db, principal, customerId);
    await db.transaction().execute(async (transaction) => {
      await lockServiceAccounts(transaction, [customerId]);
      const found = (await serviceAccountsOf(transaction, customerId)).find((row) => row.id === id);
      if (!found) throw new ProblemError('not-found');
      const ids = found.clinics.map((clinic) => clinic.id);
      const isAll = ids.every((clinic) => canUseClinic(principal, clinic));
      if (isAll) await revokeServiceAccount(transaction, id);
      else await removeServiceClinic(transaction, { id, customerId });
      const customerIds = isAll ? ids : [customerId];
      await note(transaction, principal, 'service-account.revoked', { id, name: found.name, customerIds });
    });
    return {};
  });
};
