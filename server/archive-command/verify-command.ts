import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Kysely } from 'kysely';
import { readAnchors } from '../access-log/anchor.ts';
import { readConfig } from '../config.ts';
import type { Schema } from '../db/schema.ts';
import type { Seal } from '../db/stores/access-log-seals.ts';
import { existingSealKey } from '../db/stores/seal-key.ts';
import type { NamedKey } from '../domain/named-key.ts';
import { loadSettings } from '../load-settings.ts';
import { program } from '../program-name.ts';
import { progressOn } from '../progress.ts';
import type { MasterKeySource } from '../secrets/master-key-settings.ts';
import { readingVault } from './doctor/master-key.ts';
import { openArchiveForCommand } from './open-archive.ts';
import { readOptions } from './options.ts';
import { type CommandOutput, help, outputOf } from './output.ts';
import { readPassphrase } from './passphrase.ts';
import { CommandFailed, UsageError } from './usage.ts';
import { repairFiles, verifyArchive } from './verify.ts';

const verifyHelp = `Usage: ${program} verify [--full] [--repair --from DIR] [--anchor FILE]

Compares the archive with itself: every record has its file, every file its record, every image its
thumbnail and rendition, and the seals of the access log fit its entries. The server may run.

Options:
  --full         reads every file and compares it with its hash; otherwise only sizes are compared
  --repair       replaces damaged and missing files by those of a backup; nothing else is changed.
                 The running server notices within some minutes and makes thumbnails again
  --from DIR     a backup, or a folder of backups (the newest that has the file is used)
  --anchor FILE  lines of the command anchor; the access log must still have these seals
  --data DIR     the data folder (default: DENTARIUM_DATA)
  --config FILE  the configuration file
  --json         prints one JSON object
  --help         prints this text

Exit codes: 0 everything is right (or was repaired), 1 failed, 2 wrong usage, 3 problems are left.
Files without a record and images without a thumbnail are counted, but are no problem of the archive:
"quarantine --help" explains the first, and a file that cannot be decoded causes the second.
`;

/** @throws CommandFailed for a file with other lines */
const anchorsOf = async (file: string): Promise<readonly Seal[]> => {
  const anchors = readAnchors(await readFile(file, 'utf8'));
  if (!anchors || anchors.length === 0) throw new CommandFailed(`${file} has lines that are no anchors`);
  return anchors;
};

/** Returns null when the master key is not there, or no server has started yet. */
const readableSealKey = async (db: Kysely<Schema>, source: MasterKeySource): Promise<NamedKey | null> => {
  const vault = await readingVault(db, source);
  return vault && existingSealKey(db, vault);
};

/** Verifies the archive and repairs it from a backup. @throws UsageError, BackupError, FolderUnavailable, StartupError */
export const verifyCommand = async (args: readonly string[]): Promise<CommandOutput> => {
  const { values: options } = readOptions(args, {
    full: { type: 'boolean', default: false },
    repair: { type: 'boolean', default: false },
    from: { type: 'string' },
    anchor: { type: 'string' },
  });
  if (options.help) return help(verifyHelp);
  if (options.repair !== (options.from !== undefined)) throw new UsageError('--repair and --from DIR go together');
  const anchors = options.anchor === undefined ? [] : await anchorsOf(path.resolve(options.anchor));
  const settings = loadSettings(options);
  const config = readConfig(settings, { data: options.data });
  process.umask(0o077);
  const archive = await openArchiveForCommand(config);
  try {
    const context = { ...archive, retention: config.imports.retention };
    const { count } = progressOn(process.stderr);
    const report = await verifyArchive(context, {
      sealKey: await readableSealKey(archive.db, config.masterKey),
      anchors,
      full: options.full,
      onProgress: (done, total) => count('Comparing files', done, total),
    });
    const from = options.from === undefined ? null : path.resolve(options.from);
    const repaired =
      from === null
        ? new Set<string>()
        : await repairFiles(archive, report.faults, { from, passphrase: () => readPassphrase(settings) });
    const faults = report.faults.filter(({ sha256 }) => !repaired.has(sha256));
    const { alteredAccessLogSeals, accessLogSealsUnlikeAnchor, accessLogSealsWithoutKey } = report;
    const sealFaults = alteredAccessLogSeals.length + accessLogSealsUnlikeAnchor.length + accessLogSealsWithoutKey;
    const hasProblems = faults.length + sealFaults > 0;
    const summary = hasProblems
      ? 'Problems are left: see faults and the seals of the access log.'
      : 'Every record has its intact file, and no entry of the access log was altered.';
    return outputOf(
      { ...report, faults, ...(from && { repaired: [...repaired] }) },
      { json: options.json, hasProblems, summary },
    );
  } finally {
    await archive.close();
  }
};
