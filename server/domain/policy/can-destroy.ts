import { hasClaim } from '../../../contract/claims.ts';
import type { DestructionKind } from '../../../contract/destruction.ts';
import { canUseClinic } from './can-use-clinic.ts';
import type { Principal } from './principal.ts';

/** Returns whether the caller may destroy a deleted clinic: who may delete and restore it. */
const canDestroyClinic = ({ permissions, closedClinics }: Principal, customerId: string): boolean =>
  closedClinics.includes(customerId) &&
  hasClaim(permissions, 'customer.delete') &&
  hasClaim(permissions, 'customer.get_byid');

/** Returns whether the caller may see and decide orders of this clinic: of records if it is not deleted, of itself if it is. */
export const canDestroyIn = (principal: Principal, customerId: string, kind?: DestructionKind): boolean =>
  (kind !== 'clinic' && canUseClinic(principal, customerId)) ||
  ((kind === undefined || kind === 'clinic') && canDestroyClinic(principal, customerId));
