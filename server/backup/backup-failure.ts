import { type BackupFailure, backupFailure } from '../../contract/system-status.ts';
import { FolderUnavailable } from '../archive-folder/open-folder.ts';
import { isDatabaseUnavailable } from '../db/database-unavailable.ts';
import { ObjectStoreError } from '../storage/object-store-error.ts';
import { codeOf, fullDisk } from '../storage/storage-error.ts';
import { TargetUnavailable } from './target-folder.ts';

const unwritable = new Set(['EACCES', 'EPERM', 'EROFS']);
/** Errors of a disk that failed or went away. */
const lost = new Set(['ENOENT', 'EIO', 'ENXIO', 'ENODEV', 'ESTALE', 'ENOTCONN', 'EHOSTDOWN', 'ETIMEDOUT']);

/** Returns a recorded code; `failed` for one of a newer version. */
export const readBackupFailure = (code: string | null): BackupFailure | null =>
  code === null ? null : backupFailure.catch('failed').parse(code);

/** Returns the code under which a failed backup is recorded. */
export const backupFailureOf = (error: unknown): BackupFailure => {
  if (error instanceof TargetUnavailable) return error.problem;
  if (error instanceof FolderUnavailable || error instanceof ObjectStoreError) return 'files-unavailable';
  if (isDatabaseUnavailable(error)) return 'database-unavailable';
  const code = codeOf(error);
  if (fullDisk.has(code)) return 'target-full';
  if (unwritable.has(code)) return 'target-unwritable';
  return lost.has(code) ? 'target-lost' : 'failed';
};
