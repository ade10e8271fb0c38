import type { GeneratedAlways } from 'kysely';
import type { ChangedField } from '../../contract/changes.ts';
import type { Json, MomentByDefault } from './column-types.ts';

/** A value as JSON: teeth, a text or null, yes or no, or the id of a patient. */
export type ChangedValue = readonly number[] | string | boolean | null;

/** A changed value of an image, study or patient. Rows are only inserted; a trigger rejects anything else. */
export interface RecordChangeTable {
  id: GeneratedAlways<number>;
  /** The image, study or patient. */
  subject_id: string;
  field: ChangedField;
  before: Json<{ value: ChangedValue }>;
  after: Json<{ value: ChangedValue }>;
  author_id: string;
  /** Name of the author at that time. */
  author_name: string;
  changed_at: MomentByDefault;
}
