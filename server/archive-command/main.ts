import { FolderUnavailable } from '../archive-folder/open-folder.ts';
import { StartupError } from '../startup-error.ts';
import { quarantineCommand } from './quarantine-command.ts';
import { archiveHelp, CommandFailed, UsageError } from './usage.ts';

/** Commands of `npm run archive -- <command>`; each returns the text to print. */
const commands: Readonly<Record<string, (args: readonly string[]) => Promise<string>>> = {
  quarantine: quarantineCommand,
};

const run = async ([name, ...args]: readonly string[]): Promise<string> => {
  if (name === undefined || name === '--help') return archiveHelp;
  const command = commands[name];
  if (!command) throw new UsageError(`There is no command "${name}"`);
  return command(args);
};

const isExpected = (error: unknown): error is Error =>
  [UsageError, CommandFailed, FolderUnavailable, StartupError].some((kind) => error instanceof kind);

try {
  process.stdout.write(await run(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${isExpected(error) ? error.message : error instanceof Error ? error.stack : error}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
