import { anchorLine } from '../access-log/anchor.ts';
import { readConfig } from '../config.ts';
import { newestSealOf } from '../db/stores/access-log-seals.ts';
import { loadSettings } from '../load-settings.ts';
import { program } from '../program-name.ts';
import { openArchiveForCommand } from './open-archive.ts';
import { readOptions } from './options.ts';
import { type CommandOutput, help } from './output.ts';
import { CommandFailed, UsageError } from './usage.ts';

const anchorHelp = `Usage: ${program} anchor

Prints the newest seal of the access log as one line of JSON. Keep such lines where users of
the database cannot change them, for example by a daily e-mail or on another machine:
"${program} verify --anchor FILE" compares the access log with them. The server writes the same to
its log every hour in which something was sealed.

Options:
  --data DIR     the data folder (default: DENTARIUM_DATA)
  --config FILE  the configuration file
  --json         the same line
  --help         prints this text

Exit codes: 0 printed, 1 not printed (one sentence on stderr), 2 wrong usage.
`;

/** Prints an anchor of the access log. @throws UsageError, CommandFailed, StartupError */
export const anchorCommand = async (args: readonly string[]): Promise<CommandOutput> => {
  const { values: options, positionals } = readOptions(args, {});
  if (options.help) return help(anchorHelp);
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is one argument too many`);
  const archive = await openArchiveForCommand(readConfig(loadSettings(options), { data: options.data }));
  try {
    const seal = await newestSealOf(archive.db);
    if (!seal) throw new CommandFailed('The access log has no seal yet: the server seals it every hour');
    return { text: `${anchorLine(seal)}\n`, hasProblems: false };
  } finally {
    await archive.close();
  }
};
