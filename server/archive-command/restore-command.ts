import path from 'node:path';
import type { Kysely } from 'kysely';
import { backupFolders } from '../backup/layout.ts';
import { type Backup, checkBackup, openBackup } from '../backup/read-backup.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { readConfig } from '../config.ts';
import { openDataFolder } from '../data-folder.ts';
import { openUnmigrated } from '../db/open-database.ts';
import type { Schema } from '../db/schema.ts';
import { readDataKey } from '../db/stores/data-keys.ts';
import { openFilesRoot } from '../files-root.ts';
import { loadSettings } from '../load-settings.ts';
import { program } from '../program-name.ts';
import { progressOn } from '../progress.ts';
import { openMasterKey } from '../secrets/master-key.ts';
import type { MasterKeySource } from '../secrets/master-key-settings.ts';
import { StartupError } from '../startup-error.ts';
import { readOptions } from './options.ts';
import { type CommandOutput, help, outputOf } from './output.ts';
import { readPassphrase } from './passphrase.ts';
import { UsageError } from './usage.ts';

const restoreHelp = `Usage: ${program} restore --from DIR [--check]

Fills an empty installation with a backup: an empty data folder, or with DATABASE_URL an empty
database and a data folder without files. The backup is compared with its manifest first; nothing
that exists is ever overwritten. Stop the server first. Users must sign in again afterwards; links
in e-mails sent earlier no longer work.

Options:
  --from DIR     a backup, or a folder of backups (then the newest one)
  --check        only checks the backup: reads and compares every file; needs no empty folder
  --data DIR     the data folder to fill (default: DENTARIUM_DATA)
  --config FILE  the configuration file
  --json         prints one JSON object
  --help         prints this text

DENTARIUM_BACKUP_PASSPHRASE gives the passphrase of an encrypted backup; otherwise the command asks for it.
Exit codes: 0 complete, 1 failed, 2 wrong usage, 3 complete except for files that the backup
does not have intact ("absent").
`;

const check = async (backup: Backup, json: boolean): Promise<CommandOutput> => {
  const { count } = progressOn(process.stderr);
  const faults = await checkBackup(backup, {
    full: true,
    onProgress: (done, total) => count('Comparing with the manifest, files', done, total),
  });
  const { manifest, folder } = backup;
  const result = {
    backup: folder,
    at: manifest.at,
    files: manifest.files.count,
    absent: manifest.files.absent,
    faults,
  };
  const summary = [
    faults.length > 0 ? 'The backup is damaged: see faults' : 'Every file of the backup is intact',
    ...(manifest.files.absent.length > 0 ? ['the files in absent were damaged or missing when it was made'] : []),
  ];
  return outputOf(result, {
    json,
    hasProblems: faults.length + manifest.files.absent.length > 0,
    summary: `${summary.join('; ')}.`,
  });
};

/** Returns what to do when the master key of the restored secrets is not there; null when it is. */
const missingMasterKey = async (db: Kysely<Schema>, source: MasterKeySource): Promise<string | null> => {
  const dataKey = await readDataKey(db);
  if (!dataKey) return null;
  return openMasterKey(source, dataKey.master_key_id).then(
    () => null,
    (error: unknown) => {
      if (error instanceof StartupError) return error.message;
      throw error;
    },
  );
};

/** Restores or checks a backup. @throws UsageError, BackupError, StartupError */
export const restoreCommand = async (args: readonly string[]): Promise<CommandOutput> => {
  const { values: options } = readOptions(args, {
    from: { type: 'string' },
    check: { type: 'boolean', default: false },
  });
  if (options.help) return help(restoreHelp);
  if (!options.from) throw new UsageError('restore needs --from DIR');
  const [folder = ''] = await backupFolders(path.resolve(options.from));
  const settings = loadSettings(options);
  const backup = await openBackup(folder, () => readPassphrase(settings));
  if (options.check) return check(backup, options.json);
  const { dataFolder, databaseUrl, databaseOwnerUrl, databaseDirectUrl, masterKey, filesBucket } = readConfig(
    settings,
    {
      data: options.data,
    },
  );
  process.umask(0o077);
  const { release } = openDataFolder(dataFolder, { exclusive: !databaseUrl, by: 'command' });
  try {
    const { database, close } = await openUnmigrated({
      dataFolder,
      databaseUrl,
      databaseOwnerUrl,
      databaseDirectUrl,
    });
    try {
      const root = await openFilesRoot({ dataFolder, filesBucket });
      const { manifest } = backup;
      const { count } = progressOn(process.stderr);
      const result = await restoreBackup({ backup, database, root, onProgress: count });
      const output = { backup: folder, at: manifest.at, ...manifest.counts, ...result };
      const isComplete = result.absent.length === 0;
      const restored = isComplete ? 'Everything is restored.' : 'Everything is restored except the files in absent.';
      const missing = await missingMasterKey(database.db, masterKey);
      const summary = missing === null ? restored : `${restored} Before the start: ${missing}.`;
      return outputOf(output, { json: options.json, hasProblems: !isComplete, summary });
    } finally {
      await close();
    }
  } finally {
    release();
  }
};
