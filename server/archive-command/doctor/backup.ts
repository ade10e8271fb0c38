import type { Kysely } from 'kysely';
import { oldBackupMs } from '../../backup/backup-warnings.ts';
import type { Schema } from '../../db/schema.ts';
import { hasBackupRuns, newestGoodBackup } from '../../db/stores/backup-runs.ts';
import { program } from '../../program-name.ts';
import { type Check, guarded, ok, warning } from './check.ts';

const name = 'backup';

/** Checks the age of the newest good backup, automatic or by command. */
export const checkBackup = (db: Kysely<Schema>): Promise<Check> =>
  guarded(name, 'Check the database', async () => {
    const good = (await hasBackupRuns(db)) ? await newestGoodBackup(db) : null;
    const cure = `Set DENTARIUM_BACKUP_DIR, or run "${program} backup --to DIR --incremental"`;
    if (good === null) return warning(name, 'none', cure);
    const text = `newest of ${good.started_at.toISOString()} in ${good.folder}`;
    return Date.now() - good.started_at.getTime() > oldBackupMs
      ? warning(name, `${text} is older than two days`, cure)
      : ok(name, text);
  });
