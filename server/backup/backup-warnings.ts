import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { backupHistory, newestGoodBackup } from '../db/stores/backup-runs.ts';
import type { WarningSource } from '../system-status/system-status-routes.ts';
import { readBackupFailure } from './backup-failure.ts';
import type { BackupSettings } from './backup-settings.ts';

/** Age of the newest good backup from which administrators are warned. */
export const oldBackupMs = 2 * 24 * 60 * 60 * 1000;

/** Warns when the automatic backup fails, and when the newest good backup, whoever made it, is older than two days. */
export const backupWarnings =
  (db: Kysely<Schema>, { folder }: Pick<BackupSettings, 'folder'>, now = () => new Date()): WarningSource =>
  async () => {
    const { failingSince, error, firstAt } = await backupHistory(db, folder);
    const good = await newestGoodBackup(db);
    const oldAt = new Date((good?.started_at ?? firstAt ?? now()).getTime() + oldBackupMs);
    const since = failingSince ?? (oldAt <= now() ? oldAt : null);
    if (!since) return [];
    return [
      {
        kind: 'backup',
        since: since.toISOString(),
        error: readBackupFailure(error),
        lastGoodAt: good?.started_at.toISOString() ?? null,
        folder,
      },
    ];
  };
