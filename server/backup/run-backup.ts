import type { Kysely } from 'kysely';
import { FolderUnavailable, matchFolder } from '../archive-folder/open-folder.ts';
import { BackupRuns, withBackupLock } from '../db/backup-lock.ts';
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
  /** Limit of reading; null: none. */
  readonly bytesPerSecond: number | null;
  /** Older backups are removed; null: none. */
  readonly keepDays: number | null;
  /** Called before the first backup is written, when the folder may be used. */
  readonly onTarget?: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Asked when no other backup can begin any more. */
  readonly isDue?: () => Promise<boolean>;
}

export interface RunResult {
  readonly backup: BackupResult;
  /** Names of the backups that were removed afterwards. */
  readonly removed: readonly string[];
}

/** A backup without the files of the database would look like one whose files are all lost. @throws FolderUnavailable */
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
  // Those that a shorter retention has expired may be all that fills the disk. A failure is reported after the backup.
  await prune(options, signal).catch(() => undefined);
  return writeBackup({ ...options, pace: paceOf(bytesPerSecond ?? Number.POSITIVE_INFINITY, signal) });
};

/**
 * Writes a backup while no other one runs, and records the run.
 * @throws BackupRuns, FolderUnavailable, TargetUnavailable, DatabaseEmpty, errors of the database and the file system; the signal's reason
 */
export const runBackup = (options: RunOptions): Promise<RunResult> => {
  const { database, to, by, now, signal, isDue = async () => true } = options;
  const { db } = database;
  return withBackupLock(database.address, signal, async (alone) => {
    if (!(await isDue())) throw new BackupRuns('Another node has made the backup');
    const isRecorded = await hasBackupRuns(db);
    const wasUsed = isRecorded && (await hadGoodBackup(db, to));
    const run = { started_at: now(), is_automatic: by === 'schedule', folder: to };
    const id = isRecorded ? await beginBackupRun(db, run) : null;
    const backup = await write(options, alone, wasUsed).catch(async (error: unknown) => {
      const end = signal.aborted
        ? ({ ended_at: now(), result: 'cancelled' } as const)
        : ({ ended_at: now(), result: 'failed', error: backupFailureOf(error) } as const);
      // Without the database the run stays open; the next one records that it was interrupted.
      if (id !== null) await endBackupRun(db, id, end).catch(() => undefined);
      throw error;
    });
    const { files, sizeBytes, absent } = backup;
    const end = { ended_at: now(), result: 'good', files, size_bytes: sizeBytes, absent: absent.length } as const;
    if (id !== null) await endBackupRun(db, id, end);
    return { backup, removed: await prune(options, alone) };
  });
};
