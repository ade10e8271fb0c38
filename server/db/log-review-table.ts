import type { ReviewOutcome } from '../../contract/log-reviews.ts';
import type { Moment, MomentByDefault } from './column-types.ts';

/** A check of what one user accessed at a clinic in a period. The database rejects changes once it is closed. */
export interface LogReviewTable {
  id: string;
  customer_id: string;
  account_id: string;
  from_day: string;
  to_day: string;
  reason: 'sample' | 'chosen';
  reviewer_id: string;
  created_by: string;
  created_at: MomentByDefault;
  /** Null until it is closed, as the following. */
  outcome: ReviewOutcome | null;
  comment: string | null;
  closed_by: string | null;
  closed_at: Moment | null;
}
