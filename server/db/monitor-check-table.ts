import type { Generated } from 'kysely';
import type { MonitorQuestion } from '../../contract/monitor-checks.ts';
import type { Json, MomentByDefault } from './column-types.ts';

/** A check of a monitor by a user. Rows are only inserted; a trigger rejects anything else. */
export interface MonitorCheckTable {
  id: Generated<number>;
  customer_id: string;
  workstation: string;
  /** `YYYY-MM-DD` in the time zone of the browser. */
  day: string;
  answers: Json<Record<MonitorQuestion, boolean>>;
  comment: string;
  /** Size of the pattern in device pixels. */
  width_px: number;
  height_px: number;
  /** Device pixels for each CSS pixel. */
  pixel_ratio: number;
  author_id: string;
  /** Name of the author at that time. */
  author_name: string;
  saved_at: MomentByDefault;
}
