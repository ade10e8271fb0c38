import type { Generated } from 'kysely';
import type { ImageOutcome, SendingFailure } from '../../contract/dicom-sendings.ts';
import type { Moment, MomentByDefault } from './column-types.ts';

/** Images of a patient on the way to a DICOM device. */
export interface DicomSendingTable {
  id: string;
  customer_id: string;
  patient_id: string;
  device_id: string;
  created_by: string;
  created_at: MomentByDefault;
  /** Failed attempts since an image was last sent. */
  tries: Generated<number>;
  try_at: MomentByDefault;
  lease_owner: string | null;
  lease_until: Moment | null;
  /** Of the last attempt. */
  failure: SendingFailure | null;
  cancelled: Generated<boolean>;
  /** Null: there is work left. */
  ended_at: Moment | null;
  /** The device is to be asked whether it has the images for good, was asked, has reported, or refuses that; null: it is not asked. */
  commitment: 'due' | 'asked' | 'reported' | 'refused' | null;
  /** Transaction UID of the request. */
  commitment_uid: string | null;
  /** Until then a report is waited for. */
  commitment_until: Moment | null;
}

export interface DicomSendingImageTable {
  sending_id: string;
  image_id: string;
  position: number;
  /** Null: not yet sent. */
  outcome: ImageOutcome | null;
  /** Status with which the device refused it. */
  status: number | null;
  /** What the device has reported; null: nothing yet. */
  committed: boolean | null;
}
