import { askSilently } from './ask-silently.ts';
import { CommandFailed, UsageError } from './usage.ts';

const variable = 'DENTARIUM_BACKUP_PASSPHRASE';
const fewestCharacters = 12;

const fromTerminal = (question: string): Promise<string> => {
  if (!process.stdin.isTTY)
    throw new UsageError(`The backup is encrypted: set ${variable}, or run the command in a terminal`);
  return askSilently(question);
};

/** Returns the passphrase of the environment, else asks for it. @throws UsageError without a terminal */
export const readPassphrase = async (): Promise<string> =>
  process.env[variable] || fromTerminal('Passphrase of the backup: ');

/** As `readPassphrase` for a new one: asks twice. @throws UsageError, CommandFailed */
export const choosePassphrase = async (): Promise<string> => {
  const chosen = process.env[variable] || (await fromTerminal('New passphrase of the backups: '));
  if (chosen.length < fewestCharacters)
    throw new CommandFailed(`The passphrase needs at least ${fewestCharacters} characters`);
  if (!process.env[variable] && (await fromTerminal('The same passphrase again: ')) !== chosen)
    throw new CommandFailed('The passphrases differ');
  return chosen;
};
