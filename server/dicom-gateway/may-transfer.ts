import type { Kysely } from 'kysely';
import { type Claim, hasClaim } from '../../contract/claims.ts';
import type { Schema } from '../db/schema.ts';
import { accountById } from '../db/stores/account-store.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';

/** Thrown when the user who asked may not any more. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

/**
 * Throws unless the user who asked for a transfer may still ask for it: their account is active, can use the clinic and has no claim that denies it.
 * @throws NotAllowed
 */
export const requireAllowed = async (
  db: Kysely<Schema>,
  { created_by, customer_id }: { readonly created_by: string; readonly customer_id: string },
  deniedBy: Claim,
): Promise<void> => {
  const account = await accountById(db, created_by);
  if (!account?.isActive || hasClaim(account.claims, deniedBy)) throw new NotAllowed('The account may not do it');
  const { id: accountId, role, claims: permissions, closedClinics } = account;
  const principal = {
    accountId,
    customerId: account.customer?.id ?? null,
    role,
    permissions,
    closedClinics,
    grantId: '',
  };
  if (!canUseClinic(principal, customer_id)) throw new NotAllowed('The account may not use the clinic');
};
