import type { Kysely } from 'kysely';
import type { SystemDetails } from '../../contract/system-status.ts';
import type { Schema } from '../db/schema.ts';
import { backupHistory, newestGoodBackup, runningBackupSince } from '../db/stores/backup-runs.ts';
import { nextAutomaticBackup } from './automatic-backup.ts';
import { readBackupFailure } from './backup-failure.ts';
import type { BackupSettings } from './backup-settings.ts';
import { backupWarnings, oldBackupMs } from './backup-warnings.ts';

type BackupState = SystemDetails['backup'];

/** Without an automatic backup, only recent ones by command are in order. */
const byCommandOnly = (lastGoodAt: Date | undefined, now: Date): Pick<BackupState, 'state' | 'since'> => {
  if (!lastGoodAt) return { state: 'attention', since: null };
  const oldAt = new Date(lastGoodAt.getTime() + oldBackupMs);
  return oldAt > now ? { state: 'ok', since: null } : { state: 'attention', since: oldAt.toISOString() };
};

/** Returns the state of the backups for the status page; `settings` is null without an automatic backup. */
export const backupState = async (
  db: Kysely<Schema>,
  settings: BackupSettings | null,
  now = new Date(),
): Promise<BackupState> => {
  const good = await newestGoodBackup(db);
  const base = {
    runningSince: (await runningBackupSince(db))?.toISOString() ?? null,
    lastGood: good && {
      at: good.started_at.toISOString(),
      folder: good.folder,
      files: good.files ?? 0,
      sizeBytes: good.size_bytes ?? 0,
      absent: good.absent ?? 0,
    },
  };
  if (!settings) return { ...base, ...byCommandOnly(good?.started_at, now), folder: null, nextAt: null, error: null };
  const history = await backupHistory(db, settings.folder);
  const [warning] = await backupWarnings(db, settings, () => now)();
  return {
    ...base,
    state: warning ? 'error' : 'ok',
    since: warning?.since ?? null,
    folder: settings.folder,
    nextAt: nextAutomaticBackup(now, settings, history).toISOString(),
    error: readBackupFailure(history.error),
  };
};
