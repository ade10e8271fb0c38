import type { Generated } from 'kysely';
import type { Moment, MomentByDefault } from './column-types.ts';

/** Stored files that are damaged or missing. */
export interface StoredFileFaultTable {
  sha256: string;
  kind: 'damaged' | 'missing';
  /** When the error was first seen. */
  since: MomentByDefault;
  checked_at: MomentByDefault;
}

/** One row: progress of the background check of stored files, and the node that runs it. */
export interface FileCheckTable {
  only_row: Generated<boolean>;
  /** Hash of the last file checked in this pass; empty at the start. */
  position: Generated<string>;
  /** Start of this pass. */
  started_at: MomentByDefault;
  lease_owner: string | null;
  lease_until: Moment | null;
}
