import { FolderUnavailable } from '../archive-folder/open-folder.ts';
import { BackupError } from '../backup/backup-error.ts';
import { BackupInProgress } from '../db/backup-lock.ts';
import { databaseProblemOf } from '../db/database-problem.ts';
import { asUnavailable } from '../db/database-unavailable.ts';
import { TargetUnusable } from '../db/move-database.ts';
import { DatabaseServed } from '../db/no-server.ts';
import { DatabaseEmpty } from '../db/snapshot.ts';
import { StartupError } from '../startup-error.ts';
import { StorageError } from '../storage/file-store.ts';
import { ObjectStoreError } from '../storage/object-store-error.ts';
import { codeOf, fullDisk } from '../storage/storage-error.ts';
import { anchorCommand } from './anchor-command.ts';
import { backupCommand } from './backup-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { keysCommand } from './keys-command.ts';
import { moveDatabaseCommand } from './move-database-command.ts';
import { moveFilesCommand } from './move-files-command.ts';
import { type CommandOutput, help } from './output.ts';
import { quarantineCommand } from './quarantine-command.ts';
import { restoreCommand } from './restore-command.ts';
import { archiveHelp, CommandFailed, UsageError } from './usage.ts';
import { userCommand } from './user-command.ts';
import { verifyCommand } from './verify-command.ts';

/** Commands of `npm run archive -- <command>`, by name. */
const commands: Readonly<Record<string, (args: readonly string[]) => Promise<CommandOutput>>> = {
  backup: backupCommand,
  restore: restoreCommand,
  verify: verifyCommand,
  anchor: anchorCommand,
  quarantine: quarantineCommand,
  user: userCommand,
  keys: keysCommand,
  doctor: doctorCommand,
  'move-database': moveDatabaseCommand,
  'move-files': moveFilesCommand,
};

const run = async ([name, ...args]: readonly string[]): Promise<CommandOutput> => {
  if (name === undefined || name === '--help') return help(archiveHelp);
  const command = commands[name];
  if (!command) throw new UsageError(`There is no command "${name}"`);
  return command(args);
};

/** Errors whose message is the one sentence that a person needs. */
const expected = [
  UsageError,
  CommandFailed,
  BackupError,
  BackupInProgress,
  DatabaseEmpty,
  DatabaseServed,
  FolderUnavailable,
  ObjectStoreError,
  StartupError,
  StorageError,
  TargetUnusable,
];

const databaseSentences = {
  'database-unavailable':
    'The connection to the database was lost; run the command again when the database is available',
  'storage-full': 'The disk of the database is full',
};

const sentenceOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (expected.some((kind) => error instanceof kind)) return error.message;
  const code = codeOf(error);
  if (fullDisk.has(code) && 'path' in error) return `No space left on the disk of ${error.path} (${code})`;
  if (code.startsWith('E') && 'path' in error) return `${error.path} cannot be read or written (${code})`;
  const databaseProblem = databaseProblemOf(asUnavailable(error));
  return (databaseProblem && databaseSentences[databaseProblem]) ?? error.stack ?? error.message;
};

try {
  const { text, hasProblems } = await run(process.argv.slice(2));
  process.stdout.write(text);
  if (hasProblems) process.exitCode = 3;
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
