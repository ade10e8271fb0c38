import type { Generated } from 'kysely';
import type { Json, Moment, MomentByDefault } from './column-types.ts';

/** Objects of which a device asks whether the archive has them for good (storage commitment); gone when the device has the report. */
export interface CommitmentRequestTable {
  id: string;
  customer_id: string;
  device_id: string;
  transaction_uid: string;
  /** SOP Class UID and SOP Instance UID of each. */
  objects: Json<readonly (readonly [sopClassUid: string, sopInstanceUid: string])[]>;
  created_at: MomentByDefault;
  /** Failed attempts to report. */
  tries: Generated<number>;
  try_at: MomentByDefault;
  lease_owner: string | null;
  lease_until: Moment | null;
}
