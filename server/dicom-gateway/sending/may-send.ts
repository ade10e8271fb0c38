import type { Kysely } from 'kysely';
import { hasClaim } from '../../../contract/claims.ts';
import type { Schema } from '../../db/schema.ts';
import { accountById } from '../../db/stores/account-store.ts';
import { canUseClinic } from '../../domain/policy/can-use-clinic.ts';

/** Returns whether the user who asked may still send images of the clinic. */
export const maySend = async (
  db: Kysely<Schema>,
  { created_by, customer_id }: { readonly created_by: string; readonly customer_id: string },
): Promise<boolean> => {
  const account = await accountById(db, created_by);
  if (!account?.isActive || hasClaim(account.claims, 'disable.open')) return false;
  const { id: accountId, role, claims: permissions, closedClinics } = account;
  const principal = {
    accountId,
    customerId: account.customer?.id ?? null,
    role,
    permissions,
    closedClinics,
    grantId: '',
  };
  return canUseClinic(principal, customer_id);
};
