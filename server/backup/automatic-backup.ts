import { BackupInProgress } from '../db/backup-lock.ts';
import { type BackupHistory, backupHistory } from '../db/stores/backup-runs.ts';
import { type IntervalJob, startIntervalJob } from '../jobs/interval-job.ts';
import type { BackupSettings } from './backup-settings.ts';
import { type RunOptions, type RunResult, runBackup } from './run-backup.ts';
import { nextBackupAt } from './schedule.ts';

type OfInstallation = Pick<RunOptions, 'database' | 'root' | 'dataFolder' | 'version' | 'keepMs'>;

export interface AutomaticBackupParts extends OfInstallation {
  readonly settings: BackupSettings;
  readonly now?: () => Date;
  readonly onDone: (result: RunResult) => void;
  readonly onFailure: (error: unknown) => void;
}

const everyMs = 60_000;

/** Returns when the next automatic backup is due. */
export const nextAutomaticBackup = (now: Date, settings: BackupSettings, history: BackupHistory): Date =>
  nextBackupAt(now, settings.at, {
    goodAt: history.good?.started_at ?? null,
    failedAt: history.newest?.result === 'failed' ? history.newest.ended_at : null,
    failures: history.failures,
  });

/** Creates the automatic backup of a node. Nodes of one database may all have it: the first one makes the backup. */
export const createAutomaticBackup = (parts: AutomaticBackupParts) => {
  const { database, settings, now = () => new Date(), onDone } = parts;
  const { folder: to, keepDays, bytesPerSecond } = settings;
  const isDue = async (): Promise<boolean> => {
    const at = now();
    return nextAutomaticBackup(at, settings, await backupHistory(database.db, to)) <= at;
  };
  return {
    /** Makes a backup when one is due and no other one runs. */
    round: async (signal: AbortSignal): Promise<void> => {
      if (!(await isDue())) return;
      try {
        const result = await runBackup({
          ...parts,
          to,
          by: 'schedule',
          incremental: true,
          keepDays,
          bytesPerSecond,
          signal,
          now,
          isDue,
          onProgress: () => undefined,
        });
        onDone(result);
      } catch (error) {
        if (!(error instanceof BackupInProgress)) throw error;
      }
    },
  };
};

/** Makes backups until it is closed; closing interrupts a backup, which the next run continues. */
export const startAutomaticBackup = (parts: AutomaticBackupParts): IntervalJob =>
  startIntervalJob(everyMs, createAutomaticBackup(parts).round, parts.onFailure);
