import { z } from 'zod';
import type { Environment, Settings } from '../settings/setting.ts';
import { askSilently } from './ask-silently.ts';
import { CommandFailed, UsageError } from './usage.ts';

export const backupVariables = {
  passphrase: {
    variable: 'DENTARIUM_BACKUP_PASSPHRASE',
    schema: z.string().optional(),
    defaultNote: 'asked for on the terminal',
    description:
      'passphrase of encrypted backups for `npm run archive`; at least 12 characters. The automatic backup needs none',
    isSecret: true,
  },
} satisfies Settings;

const { variable } = backupVariables.passphrase;
const minCharacters = 12;

const fromTerminal = (question: string): Promise<string> => {
  if (!process.stdin.isTTY)
    throw new UsageError(`The backup is encrypted: set ${variable}, or run the command in a terminal`);
  return askSilently(question);
};

/** Returns the passphrase of the settings, else asks for it. @throws UsageError without a terminal */
export const readPassphrase = async (settings: Environment): Promise<string> =>
  settings[variable] || fromTerminal('Passphrase of the backup: ');

/** As `readPassphrase` for a new one: asks twice. @throws UsageError, CommandFailed */
export const choosePassphrase = async (settings: Environment): Promise<string> => {
  const chosen = settings[variable] || (await fromTerminal('New passphrase of the backups: '));
  if (chosen.length < minCharacters)
    throw new CommandFailed(`The passphrase needs at least ${minCharacters} characters`);
  if (!settings[variable] && (await fromTerminal('The same passphrase again: ')) !== chosen)
    throw new CommandFailed('The passphrases differ');
  return chosen;
};
