import type { Generated } from 'kysely';
import type { NodeRoles } from '../../contract/system-status.ts';
import type { Json, Moment, MomentByDefault } from './column-types.ts';

/** A run of a backup. Files and sizes are null until it has ended well. */
export interface BackupRunTable {
  id: string;
  started_at: Moment;
  ended_at: Moment | null;
  result: 'running' | 'good' | 'failed' | 'cancelled';
  is_automatic: boolean;
  /** Absolute path of the folder of backups. */
  folder: string;
  /** Stored files in the backup, and their bytes. */
  files: number | null;
  size_bytes: number | null;
  /** Referenced files that the archive itself did not have intact. */
  absent: number | null;
  /** Code of the failure. */
  error: string | null;
}

/** A running node. */
export interface NodeTable {
  id: string;
  /** Name of its machine. */
  name: string;
  version: string;
  /** Versions before migration 048 read no encrypted secrets. */
  reads_encrypted: Generated<boolean>;
  roles: Generated<NodeRoles>;
  started_at: MomentByDefault;
  seen_at: MomentByDefault;
}

/** An image whose thumbnail or rendition a node makes. */
export interface DeriveClaimTable {
  image_id: string;
  owner: string;
  claimed_until: Moment;
}

export interface SeedStateTable {
  name: string;
  value: Json<unknown>;
}
