import { canReadOwnClinic, hasClaim } from '../../../contract/claims.ts';
import type { Principal } from './principal.ts';

/** Returns whether the caller may read a clinic: their own with `customer.get_itself`, any clinic with `customer.get_byid`. */
export const canSeeClinic = ({ customerId: own, permissions }: Principal, customerId: string): boolean =>
  own === customerId ? canReadOwnClinic(permissions) : hasClaim(permissions, 'customer.get_byid');
