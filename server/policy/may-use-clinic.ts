import { mayDo } from '../../contract/claims.ts';
import type { Principal } from './principal.ts';

/**
 * A person may touch the data of the clinic that they belong to. Whoever holds `customer.get_byid` (a super administrator)
 * may touch the data of any clinic. What belongs to a deleted clinic is out of reach for everybody.
 */
export const mayUseClinic = ({ customerId, permissions, closedClinics }: Principal, wanted: string): boolean =>
  !closedClinics.includes(wanted) && (customerId === wanted || mayDo(permissions, 'customer.get_byid'));
