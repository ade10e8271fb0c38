import { mayDo } from '../../contract/claims.ts';
import type { Principal } from './principal.ts';

/**
 * A person may touch the data of the clinic that they belong to. Whoever holds `customer.get_byid` (a super administrator)
 * may touch the data of any clinic.
 */
export const mayUseClinic = (principal: Principal, customerId: string): boolean =>
  principal.customerId === customerId || mayDo(principal.permissions, 'customer.get_byid');
