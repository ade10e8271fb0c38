import { mayDo } from '../../contract/claims.ts';
import type { Principal } from './principal.ts';

/** A person may read the facts about their own clinic with `customer.get_itself`, about any clinic with `customer.get_byid`. */
export const maySeeClinic = (principal: Principal, customerId: string): boolean =>
  mayDo(principal.permissions, 'customer.get_byid') ||
  (principal.customerId === customerId && mayDo(principal.permissions, 'customer.get_itself'));
