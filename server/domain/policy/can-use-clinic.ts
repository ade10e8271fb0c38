import { hasClaim } from '../../../contract/claims.ts';
import type { Principal } from './principal.ts';

/**
 * Returns whether the caller may access the data of a clinic: their own, or any clinic with `customer.get_byid` (super administrators). Nobody can
 * access the data of a deleted clinic.
 */
export const canUseClinic = ({ customerId, permissions, closedClinics }: Principal, requestedId: string): boolean =>
  !closedClinics.includes(requestedId) && (customerId === requestedId || hasClaim(permissions, 'customer.get_byid'));
