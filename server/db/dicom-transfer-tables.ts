import type { Generated } from 'kysely';
import type { FetchFailure, FetchOutcome } from '../../contract/dicom-fetches.ts';
import type { ImageOutcome, SendingFailure } from '../../contract/dicom-sendings.ts';
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

/** Studies that a user fetches from a DICOM device into a patient. */
export interface DicomFetchTable {
  id: string;
  customer_id: string;
  patient_id: string;
  device_id: string;
  created_by: string;
  created_at: MomentByDefault;
  /** Failed attempts since an image was last fetched. */
  tries: Generated<number>;
  try_at: MomentByDefault;
  lease_owner: string | null;
  lease_until: Moment | null;
  /** Of the last attempt. */
  failure: FetchFailure | null;
  cancelled: Generated<boolean>;
  /** Null: there is work left. */
  ended_at: Moment | null;
}

export interface DicomFetchStudyTable {
  fetch_id: string;
  study_uid: string;
  position: number;
  description: string;
  study_date: string | null;
  /** The patient as the search named it, and the user has seen it. */
  foreign_patient: Json<unknown>;
  /** The user has confirmed that this is the same patient. */
  is_confirmed: boolean;
  /** The rows of its images are there. */
  is_listed: Generated<boolean>;
  /** Null: not yet fetched and decided. */
  outcome: 'imported' | 'undecided' | 'known' | 'empty' | 'failed' | null;
  /** Its import. */
  task_id: string | null;
  /** The device was asked to send it to the archive (C-MOVE). */
  by_move: Generated<boolean>;
  /** The archive had no space for an image of it, since the device was last asked to send it. */
  lacks_space: Generated<boolean>;
}

export interface DicomFetchImageTable {
  fetch_id: string;
  study_uid: string;
  sop_instance_uid: string;
  series_uid: string;
  /** Null: the device does not say. */
  sop_class_uid: string | null;
  position: number;
  /** Null: not yet fetched. */
  outcome: FetchOutcome | null;
}

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

/** Tables of what goes between the archive and DICOM devices. */
export interface DicomTransferTables {
  commitment_request: CommitmentRequestTable;
  dicom_fetch: DicomFetchTable;
  dicom_fetch_study: DicomFetchStudyTable;
  dicom_fetch_image: DicomFetchImageTable;
  dicom_sending: DicomSendingTable;
  dicom_sending_image: DicomSendingImageTable;
}
