import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { FolderUnavailable, matchFolder } from '../archive-folder/open-folder.ts';
import { createKey, encryptionOf } from '../backup/encryption.ts';
import { backupsIn } from '../backup/layout.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { readConfig } from '../config.ts';
import { openUnmigrated } from '../db/open-database.ts';
import { loadSettings } from '../load-settings.ts';
import { program } from '../program-name.ts';
import { progressOn } from '../progress.ts';
import type { Environment } from '../settings/setting.ts';
import { version } from '../version.ts';
import { type OpenArchiveForCommand, openArchiveForCommand } from './open-archive.ts';
import { readOptions } from './options.ts';
import { type CommandOutput, help, outputOf } from './output.ts';
import { choosePassphrase } from './passphrase.ts';
import { CommandFailed, UsageError } from './usage.ts';

const backupHelp = `Usage: ${program} backup --to DIR [--incremental] [--encrypt]

Writes a backup to a new folder in DIR, for example DIR/2026-11-24T02-00-00Z: the database at one
moment, and every stored file that it refers to. The server may run meanwhile. Thumbnails and
renditions are not copied: the server makes them again.

Options:
  --to DIR       the folder of backups; it should be on another disk or machine
  --incremental  uses the files of the newest backup in DIR again (hard links), and continues an
                 interrupted one; the result is as complete as a full backup
  --encrypt      encrypts all backups in DIR with a passphrase (age); only for a new DIR.
                 Later backups in DIR are encrypted without it, and need no passphrase
  --data DIR     the data folder (default: DENTARIUM_DATA)
  --config FILE  the configuration file
  --json         prints one JSON object
  --help         prints this text

DENTARIUM_BACKUP_PASSPHRASE gives the passphrase; otherwise the terminal asks for it. Without the
passphrase and DIR/identity.age an encrypted backup cannot be read by anybody.
Exit codes: 0 complete, 1 failed, 2 wrong usage, 3 complete but for files that the archive itself
does not have intact ("absent").
`;

const encryptFolder = async (to: string, settings: Environment): Promise<void> => {
  if (await encryptionOf(to)) return;
  const { complete, partial } = await backupsIn(to);
  if (complete.length + partial.length > 0)
    throw new CommandFailed(`${to} has backups without encryption: choose another folder for encrypted ones`);
  const passphrase = await choosePassphrase(settings);
  await mkdir(to, { recursive: true, mode: 0o700 });
  await createKey(to, passphrase);
};

/** A backup without the files of the database would look like one whose files are all lost. @throws FolderUnavailable */
const ensureOwnFolder = async ({ db, root }: OpenArchiveForCommand): Promise<void> => {
  const { kind } = await matchFolder(db, root);
  if (kind !== 'same' && kind !== 'database-older')
    throw new FolderUnavailable(kind === 'unclaimed' ? 'empty' : kind, root);
};

/** Writes a backup. @throws UsageError, CommandFailed, FolderUnavailable, BackupRuns, DatabaseEmpty, StartupError */
export const backupCommand = async (args: readonly string[]): Promise<CommandOutput> => {
  const { values: options } = readOptions(args, {
    to: { type: 'string' },
    incremental: { type: 'boolean', default: false },
    encrypt: { type: 'boolean', default: false },
  });
  if (options.help) return help(backupHelp);
  if (!options.to) throw new UsageError('backup needs --to DIR');
  const to = path.resolve(options.to);
  const settings = loadSettings(options);
  const config = readConfig(settings, { data: options.data });
  process.umask(0o077);
  if (options.encrypt) await encryptFolder(to, settings);
  const archive = await openArchiveForCommand(config, openUnmigrated);
  try {
    await ensureOwnFolder(archive);
    const progress = progressOn(process.stderr);
    const result = await writeBackup({
      database: archive.database,
      root: archive.root,
      to,
      incremental: options.incremental,
      version,
      keepMs: config.imports.retention.keepMs,
      onProgress: progress.count,
    });
    return outputOf(result, { json: options.json, hasProblems: result.absent.length > 0 });
  } finally {
    await archive.close();
  }
};
