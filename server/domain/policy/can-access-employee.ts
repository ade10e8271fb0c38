import { hasClaim } from '../../../contract/claims.ts';
import { canUseClinic } from './can-use-clinic.ts';
import type { Principal } from './principal.ts';

/**
 * Returns whether the caller may see this employee: those of any clinic that the caller can use; super administrators (`customerId` null) only with
 * `user.get_sa`, or the caller's own account.
 */
export const canAccessEmployee = (
  principal: Principal,
  employee: { readonly id: string; readonly customerId: string | null },
): boolean =>
  employee.customerId === null
    ? hasClaim(principal.permissions, 'user.get_sa') || employee.id === principal.accountId
    : canUseClinic(principal, employee.customerId);
