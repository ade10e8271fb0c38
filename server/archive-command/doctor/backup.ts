import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import { oldBackupMs } from '../../backup/backup-warnings.ts';
import { backupsIn } from '../../backup/layout.ts';
import { checkTarget, TargetUnavailable } from '../../backup/target-folder.ts';
import type { Config } from '../../config.ts';
import type { Schema } from '../../db/schema.ts';
import { archiveMark } from '../../db/stores/archive-mark.ts';
import { hadGoodBackup, hasBackupRuns, newestGoodBackup } from '../../db/stores/backup-runs.ts';
import { program } from '../../program-name.ts';
import { type Check, failure, failureOf, guarded, kindOf, ok, warning } from './check.ts';

const name = 'backup';

type OfInstallation = Pick<Config, 'dataFolder' | 'backup'>;

/** Checks that a folder of backups is there, of this archive, and writable. Returns null when it is. */
const checkFolder = async (
  db: Kysely<Schema>,
  to: string,
  wasUsed: boolean,
  { dataFolder, backup }: OfInstallation,
) => {
  try {
    const archiveId = (await archiveMark(db)) ?? '';
    await checkTarget({ to, dataFolder, archiveId, wasUsed, by: backup ? 'schedule' : 'command' });
    await access(to, constants.W_OK | constants.X_OK);
    if (wasUsed && (await backupsIn(to)).complete.length === 0)
      return failure(name, `${to} has no backup any more`, 'Mount its disk, or find out who removed them');
    return null;
  } catch (error) {
    if (error instanceof TargetUnavailable) return failureOf(name, error.message);
    return failure(name, `${to} cannot be written (${kindOf(error)})`, 'Give it to the user of the server');
  }
};

/** Checks the folder of backups and the age of the newest good one, automatic or by command. */
export const checkBackup = (db: Kysely<Schema>, installation: OfInstallation): Promise<Check> =>
  guarded(name, 'Check the database', async () => {
    const hasRuns = await hasBackupRuns(db);
    const good = hasRuns ? await newestGoodBackup(db) : null;
    const folder = installation.backup?.folder ?? good?.folder;
    if (folder === undefined)
      return warning(name, 'none', `Set DENTARIUM_BACKUP_DIR, or run "${program} backup --to DIR --incremental"`);
    const problem = await checkFolder(db, folder, hasRuns && (await hadGoodBackup(db, folder)), installation);
    if (problem) return problem;
    const cure = `Run "${program} backup --to ${folder} --incremental", which shows what prevents it`;
    if (!good) return warning(name, 'none yet', cure);
    const text = `newest of ${good.started_at.toISOString()} in ${good.folder}`;
    return Date.now() - good.started_at.getTime() > oldBackupMs
      ? warning(name, `${text} is older than two days`, cure)
      : ok(name, text);
  });
