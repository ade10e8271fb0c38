import { readConfig } from '../config.ts';
import { operatorChanges } from '../identity/operator-changes.ts';
import { loadSettings } from '../load-settings.ts';
import { program } from '../program-name.ts';
import { openArchiveForCommand } from './open-archive.ts';
import { readOptions } from './options.ts';
import { type CommandOutput, help, outputOf } from './output.ts';
import { UsageError } from './usage.ts';

const keysHelp = `Usage: ${program} keys rotate [--distrust]

Makes a new key that signs sign-ins, as the server does every DENTARIUM_SIGNING_KEY_DAYS days. Users
stay signed in. Running servers use the new key within half a minute. Written to the access log as an
action of the command line.

Options:
  --distrust     deletes the older keys as well, after one may have leaked: what they signed is
                 rejected, and browsers renew it without the user
  --data DIR     the data folder (default: DENTARIUM_DATA)
  --config FILE  the configuration file
  --json         prints one JSON object
  --help         prints this text

Exit codes: 0 done, 1 not done (one sentence on stderr), 2 wrong usage.
`;

/** Rotates the signing key. @throws UsageError, StartupError */
export const keysCommand = async (args: readonly string[]): Promise<CommandOutput> => {
  const { values: options, positionals } = readOptions(args, { distrust: { type: 'boolean', default: false } });
  if (options.help) return help(keysHelp);
  if (positionals.length !== 1 || positionals[0] !== 'rotate') throw new UsageError('keys has one action: rotate');
  const config = readConfig(loadSettings(options), { data: options.data });
  process.umask(0o077);
  const archive = await openArchiveForCommand(config);
  try {
    const { distrust } = options;
    const kid = await operatorChanges(archive.db).rotateKeys({ distrust });
    return outputOf({ key: kid, olderKeys: distrust ? 'deleted' : 'still accepted' }, { json: options.json });
  } finally {
    await archive.close();
  }
};
