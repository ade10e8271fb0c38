import type { Generated } from 'kysely';
import type { DestructionBasis, DestructionKind, DestructionState } from '../../contract/destruction.ts';
import type { Moment, MomentByDefault } from './column-types.ts';

/** An order to destroy a record. It stays when the record is gone, with ids and counts only. */
export interface DestructionOrderTable {
  id: string;
  customer_id: string;
  kind: DestructionKind;
  subject_id: string;
  /** Null for a whole clinic. */
  patient_id: string | null;
  basis: DestructionBasis;
  reference: string;
  reason: string;
  state: DestructionState;
  proposed_by: string;
  proposed_at: MomentByDefault;
  /** Who approved or refused it. */
  decided_by: string | null;
  decided_at: Moment | null;
  /** Until then it can be revoked. */
  due_at: Moment | null;
  /** Who revoked it. */
  ended_by: string | null;
  ended_at: Moment | null;
  patients: Generated<number>;
  studies: Generated<number>;
  images: Generated<number>;
  files: Generated<number>;
}

/** A file that no row references any more because of an order, and that is still to be removed. */
export interface DestructionFileTable {
  order_id: string;
  sha256: string;
}
