import type { AccessAction } from '../../contract/access-log.ts';
import type { Access } from '../db/stores/access-log.ts';
import type { Principal } from '../domain/policy/principal.ts';

/** A row of an image, study or viewset. */
interface RecordRow {
  readonly id: string;
  readonly customer_id: string;
  readonly patient_id: string;
}

/** Returns the log entry of an action on a record. */
export const accessTo = (
  { accountId }: Principal,
  { id, customer_id, patient_id }: RecordRow,
  action: AccessAction,
): Omit<Access, 'at'> => ({ accountId, customerId: customer_id, patientId: patient_id, action, objectId: id });
