import type { Kysely } from 'kysely';
import { FolderUnavailable, matchFolder } from '../archive-folder/open-folder.ts';
import { BackupInProgress, withBackupLock } from '../db/backup-lock.ts';
import type { Schema } from '../db/schema.ts';
import { archiveMark } from '../db/stores/archive-mark.ts';
import { beginBackupRun, endBackupRun, hadGoodBackup, hasBackupRuns } from '../db/stores/backup-runs.ts';
import type { FilesRoot } from '../storage/files-home.ts';
import { paceOf } from '../storage/pace.ts';
import { backupFailureOf } from './backup-failure.ts';
import { pruneBackups } from './prune-backups.ts';
import { ensureTarget, type Target } from './target-folder.ts';
import { type BackupOptions, type BackupResult, writeBackup } from './write-backup.ts';

export interface RunOptions extends Omit<BackupOptions, 'pace'>, Pick<Target, 'by' | 'dataFolder'> {
  /** Maximum read rate; null: no limit. */
  readonly bytesPerSecond: number | null;
  /** Days after which backups are removed; null: no backup is removed. */
  readonly keepDays: number | null;
  /** Called before each backup is written, after the target folder was accepted. */
  readonly onTarget?: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Called while the lock is held; false: another node has already written this backup. */
  readonly isDue?: () => Promise<boolean>;
}

export interface RunResult {
  readonly backup: BackupResult;
  /** Names of the backups that were removed afterwards. */
  readonly removed: readonly string[];
}

/** Throws FolderUnavailable unless the folder holds the files of this database: otherwise the backup would list every file as lost. */
const ensureOwnFiles = async (db: Kysely<Schema>, root: FilesRoot): Promise<void> => {
  const { kind } = await matchFolder(db, root);
  if (kind !== 'same' && kind !== 'database-older')
    throw new FolderUnavailable(kind === 'unclaimed' ? 'empty' : kind, root);
};

const prune = async ({ to, keepDays, now }: RunOptions, signal: AbortSignal): Promise<readonly string[]> =>
  keepDays === null ? [] : pruneBackups(to, { keepDays, now: now(), signal });

const write = async (options: RunOptions, signal: AbortSignal, wasUsed: boolean): Promise<BackupResult> => {
  const { database, root, to, dataFolder, by, bytesPerSecond, onTarget } = options;
  await ensureOwnFiles(database.db, root);
  const archiveId = (await archiveMark(database.db)) ?? '';
  await ensureTarget({ to, dataFolder, archiveId, wasUsed, by });
  await onTarget?.();
  // Expired backups may fill the disk, so they are removed first. The removal after the backup reports an error.
  await prune(options, signal).catch(() => undefined);
  return writeBackup({ ...options, pace: paceOf(bytesPerSecond ?? Number.POSITIVE_INFINITY, signal) });
};

/**
 * Writes a backup while no other one runs, and records the run.
 * @throws BackupInProgress, FolderUnavailable, TargetUnavailable, DatabaseEmpty, errors of the database and the file system; the signal's reason
 */
export const runBackup = (options: RunOptions): Promise<RunResult> => {
  const { database, to, by, now, signal, isDue = async () => true } = options;
  const { db } = database;
  return withBackupLock(database.address, signal, async (lockSignal) => {
    if (!(await isDue())) throw new BackupInProgress('Another node has made the backup');
    const isRecorded = await hasBackupRuns(db);
    const wasUsed = isRecorded && (await hadGoodBackup(db, to));
    const run = { started_at: now(), is_automatic: by === 'schedule', folder: to };
    const id = isRecorded ? await beginBackupRun(db, run) : null;
    const backup = await write(options, lockSignal, wasUsed).catch(async (error: unknown) => {
      const end = signal.aborted
        ? ({ ended_at: now(), result: 'cancelled' } as const)
        : ({ ended_at: now(), result: 'failed', error: backupFailureOf(error) } as const);
      // When the database is unavailable the run stays open, and the next run marks it as interrupted.
      if (id !== null) await endBackupRun(db, id, end).catch(() => undefined);
      throw error;
    });
    const { files, sizeBytes, absent } = backup;
    const end = { ended_at: now(), result: 'good', files, size_bytes: sizeBytes, absent: absent.length } as const;
    if (id !== null) await endBackupRun(db, id, end);
    return { backup, removed: await prune(options, lockSignal) };
  });
};
