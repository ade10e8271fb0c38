import { z } from 'zod';
import { readConfig } from '../config.ts';
import { loadSettings } from '../load-settings.ts';
import { adoptQuarantine } from './adopt.ts';
import { openArchiveForCommand } from './open-archive.ts';
import { readOptions } from './options.ts';
import { type CommandOutput, help, outputOf } from './output.ts';
import { acceptState, listQuarantine, purgeQuarantine, type QuarantineContext } from './quarantine.ts';
import { quarantineHelp, UsageError } from './usage.ts';

const day = z.iso.date();
/** Later than any quarantine day. */
const endOfTime = '9999-12-31';

const optionsOf = (args: readonly string[]) =>
  readOptions(args, {
    clinic: { type: 'string' },
    user: { type: 'string' },
    from: { type: 'string' },
    until: { type: 'string' },
    before: { type: 'string' },
    all: { type: 'boolean', default: false },
    empty: { type: 'boolean', default: false },
  });
type Options = ReturnType<typeof optionsOf>['values'];

const dayOf = (text: string | undefined, name: string): string | null => {
  if (text === undefined) return null;
  if (!day.safeParse(text).success) throw new UsageError(`--${name} is a day, as 2026-11-23`);
  return text;
};

type Work = (context: QuarantineContext) => Promise<object>;

const workOf = (action: string | undefined, options: Options, maxFiles: number): Work => {
  switch (action) {
    case 'list':
      return listQuarantine;
    case 'adopt': {
      const { clinic, user } = options;
      if (!clinic || !user) throw new UsageError('adopt needs --clinic and --user');
      const [from, until] = [dayOf(options.from, 'from'), dayOf(options.until, 'until')];
      return (context) => adoptQuarantine(context, { clinic, user, from, until, maxFiles });
    }
    case 'purge': {
      const before = options.all ? endOfTime : dayOf(options.before, 'before');
      if (!before) throw new UsageError('purge needs --before DATE or --all');
      return (context) => purgeQuarantine(context, before);
    }
    case 'accept':
      return (context) => acceptState(context, options.empty);
    default:
      throw new UsageError(
        action ? `There is no action "${action}"` : 'An action is missing: list, adopt, purge, accept',
      );
  }
};

/**
 * Runs one command on unreferenced files.
 * @throws UsageError, CommandFailed, FolderUnavailable, StartupError
 */
export const quarantineCommand = async (args: readonly string[]): Promise<CommandOutput> => {
  const { values: options, positionals } = optionsOf(args);
  if (options.help) return help(quarantineHelp);
  const config = readConfig(loadSettings(options), { data: options.data });
  const work = workOf(positionals[0], options, config.imports.limits.filesPerImport);
  process.umask(0o077);
  const archive = await openArchiveForCommand(config);
  try {
    const result = await work({ ...archive, retention: config.imports.retention });
    return outputOf(result, { json: options.json });
  } finally {
    await archive.close();
  }
};
