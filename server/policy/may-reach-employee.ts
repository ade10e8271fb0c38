import { mayDo } from '../../contract/claims.ts';
import { mayUseClinic } from './may-use-clinic.ts';
import type { Principal } from './principal.ts';

/**
 * Whoever may use a clinic meets its people. Super administrators, who belong to none (`customerId` null), are met by those who may list them
 * (`user.get_sa`), and by themselves.
 */
export const mayReachEmployee = (
  principal: Principal,
  employee: { readonly id: string; readonly customerId: string | null },
): boolean =>
  employee.customerId === null
    ? mayDo(principal.permissions, 'user.get_sa') || employee.id === principal.accountId
    : mayUseClinic(principal, employee.customerId);
