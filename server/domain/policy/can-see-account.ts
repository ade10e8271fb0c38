import { hasClaim } from '../../../contract/claims.ts';
import { canUseClinic } from './can-use-clinic.ts';
import type { Principal } from './principal.ts';

/**
 * Returns whether the caller may read an account: always their own; another one with `user.get_info` if it belongs to a clinic that the caller can
 * use. Accounts without a clinic (super administrators) need `user.get_sa`.
 */
export const canSeeAccount = (principal: Principal, account: { id: string; customerId: string | null }): boolean => {
  if (account.id === principal.accountId) return true;
  if (!hasClaim(principal.permissions, 'user.get_info')) return false;
  return account.customerId === null
    ? hasClaim(principal.permissions, 'user.get_sa')
    : canUseClinic(principal, account.customerId);
};
