import { mayDo } from '../../contract/claims.ts';
import { mayUseClinic } from './may-use-clinic.ts';
import type { Principal } from './principal.ts';

/**
 * A person may always read the facts about their own account. About another one they need `user.get_info`, and the other must belong
 * to a clinic that they may use; an account without a clinic (a super administrator) is shown to those who hold `user.get_sa`.
 */
export const maySeeAccount = (principal: Principal, account: { id: string; customerId: string | null }): boolean => {
  if (account.id === principal.accountId) return true;
  if (!mayDo(principal.permissions, 'user.get_info')) return false;
  return account.customerId === null
    ? mayDo(principal.permissions, 'user.get_sa')
    : mayUseClinic(principal, account.customerId);
};
