import type { Generated } from 'kysely';
import type { OrderStatus } from '../../contract/orders.ts';
import type { MomentByDefault } from './column-types.ts';

/** An order of images of a patient. */
export interface ImagingOrderTable {
  id: string;
  customer_id: string;
  patient_id: string;
  study_uid: string;
  /** Also the id of the requested procedure and of the scheduled procedure step. */
  accession_number: string;
  procedure_text: string;
  modality: string;
  /** Null: any device of the clinic. */
  device_id: string | null;
  scheduled_day: string;
  /** `HH:MM` in the time of the clinic. */
  scheduled_time: string;
  comment: string;
  created_by: string;
  created_at: MomentByDefault;
  status: Generated<OrderStatus>;
  /** Counts the edits. */
  version: Generated<number>;
  /** The last step that a device reported; null: none. */
  performed_step_id: Generated<string | null>;
}

/** A performed procedure step that a device reports (MPPS). */
export interface PerformedStepTable {
  id: string;
  customer_id: string;
  sop_instance_uid: string;
  device_id: string;
  status: 'in-progress' | 'completed' | 'discontinued';
  created_at: MomentByDefault;
  changed_at: MomentByDefault;
}
