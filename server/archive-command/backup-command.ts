import path from 'node:path';
import { createKey, encryptionOf } from '../backup/encryption.ts';
import { backupsIn } from '../backup/layout.ts';
import { runBackup } from '../backup/run-backup.ts';
import { readConfig } from '../config.ts';
import { openUnmigrated } from '../db/open-database.ts';
import { loadSettings } from '../load-settings.ts';
import { program } from '../program-name.ts';
import { progressOn } from '../progress.ts';
import type { Environment } from '../settings/setting.ts';
import { onTermination } from '../termination.ts';
import { version } from '../version.ts';
import { openArchiveForCommand } from './open-archive.ts';
import { readOptions } from './options.ts';
import { type CommandOutput, help, outputOf } from './output.ts';
import { choosePassphrase } from './passphrase.ts';
import { CommandFailed, UsageError } from './usage.ts';

const backupHelp = `Usage: ${program} backup --to DIR [--incremental] [--encrypt]

Writes a backup to a new folder in DIR, for example DIR/2026-11-24T02-00-00Z: the database at one
moment, and every stored file that it refers to. The server may run meanwhile. Thumbnails and
renditions are not copied: the server makes them again. The first backup marks DIR with the file
archive-id, so that no backup is ever written beneath the mount of a missing disk.

Options:
  --to DIR       the folder of backups; it should be on another disk or machine
  --incremental  uses the files of the newest backup in DIR again (hard links), and continues an
                 interrupted one; the result is as complete as a full backup
  --encrypt      encrypts all backups in DIR with a passphrase (age); only for a new DIR.
                 Later backups in DIR are encrypted without it, and need no passphrase
  --new-disk     begins anew in DIR after it had backups of this archive on another disk
  --data DIR     the data folder (default: DENTARIUM_DATA)
  --config FILE  the configuration file
  --json         prints one JSON object
  --help         prints this text

DENTARIUM_BACKUP_PASSPHRASE gives the passphrase; otherwise the terminal asks for it. Without the
passphrase and DIR/identity.age an encrypted backup cannot be read by anybody.
Exit codes: 0 complete, 1 failed, 2 wrong usage, 3 complete but for files that the archive itself
does not have intact ("absent").
`;

/** Returns the passphrase of a new folder of encrypted backups; null when the folder is encrypted already. */
const newPassphrase = async (to: string, settings: Environment): Promise<string | null> => {
  if (await encryptionOf(to)) return null;
  const { complete, partial } = await backupsIn(to);
  if (complete.length + partial.length > 0)
    throw new CommandFailed(`${to} has backups without encryption: choose another folder for encrypted ones`);
  return choosePassphrase(settings);
};

/** Ends the backup in order, so that it is recorded. */
const interrupted = (): AbortSignal => {
  const stopping = new AbortController();
  onTermination(() => stopping.abort(new CommandFailed('Interrupted: --incremental continues this backup')));
  return stopping.signal;
};

/** Writes a backup. @throws UsageError, CommandFailed, FolderUnavailable, BackupInProgress, DatabaseEmpty, StartupError */
export const backupCommand = async (args: readonly string[]): Promise<CommandOutput> => {
  const { values: options } = readOptions(args, {
    to: { type: 'string' },
    incremental: { type: 'boolean', default: false },
    encrypt: { type: 'boolean', default: false },
    'new-disk': { type: 'boolean', default: false },
  });
  if (options.help) return help(backupHelp);
  if (!options.to) throw new UsageError('backup needs --to DIR');
  const to = path.resolve(options.to);
  const settings = loadSettings(options);
  const config = readConfig(settings, { data: options.data });
  process.umask(0o077);
  const passphrase = options.encrypt ? await newPassphrase(to, settings) : null;
  const archive = await openArchiveForCommand(config, openUnmigrated);
  try {
    const progress = progressOn(process.stderr);
    const { backup } = await runBackup({
      database: archive.database,
      root: archive.root,
      dataFolder: config.dataFolder,
      to,
      by: options['new-disk'] ? 'new-disk' : 'command',
      incremental: options.incremental,
      version,
      keepMs: config.imports.retention.keepMs,
      keepDays: null,
      bytesPerSecond: null,
      onTarget: async () => {
        if (passphrase !== null) await createKey(to, passphrase);
      },
      signal: interrupted(),
      now: () => new Date(),
      onProgress: progress.count,
    });
    return outputOf(backup, { json: options.json, hasProblems: backup.absent.length > 0 });
  } finally {
    await archive.close();
  }
};
