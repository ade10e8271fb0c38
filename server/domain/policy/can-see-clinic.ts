import { hasClaim } from '../../../contract/claims.ts';
import type { Principal } from './principal.ts';

/** Returns whether the caller may read a clinic: their own with `customer.get_itself`, any clinic with `customer.get_byid`. */
export const canSeeClinic = (principal: Principal, customerId: string): boolean =>
  hasClaim(principal.permissions, 'customer.get_byid') ||
  (principal.customerId === customerId && hasClaim(principal.permissions, 'customer.get_itself'));
