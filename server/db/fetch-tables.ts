import type { Generated } from 'kysely';
import type { FetchFailure, FetchOutcome } from '../../contract/dicom-fetches.ts';
import type { Json, Moment, MomentByDefault } from './column-types.ts';

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
