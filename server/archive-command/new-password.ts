import { text } from 'node:stream/consumers';
import { bounds, password as passwordRules } from '../../contract/bounds.ts';
import { askSilently } from './ask-silently.ts';
import { CommandFailed } from './usage.ts';

const [fewest, most] = bounds.password;
const missing: Readonly<Record<string, string>> = {
  digit: 'a digit',
  lowercase: 'a lowercase letter',
  uppercase: 'an uppercase letter',
  symbol: 'a character that is no letter and no digit',
};

const ask = async (): Promise<string> => {
  const chosen = await askSilently('New password: ');
  if ((await askSilently('The same password again: ')) !== chosen) throw new CommandFailed('The passwords differ');
  return chosen;
};

/**
 * Reads a new password from the terminal, without showing it, or from stdin, without its line end. @throws CommandFailed naming each rule of the
 * product that it breaks
 */
export const readNewPassword = async (): Promise<string> => {
  const password = process.stdin.isTTY ? await ask() : (await text(process.stdin)).replace(/\r?\n$/, '');
  const result = passwordRules.safeParse(password);
  if (result.success) return password;
  const broken = result.error.issues.map(({ message }) => missing[message] ?? `${fewest} to ${most} characters`);
  throw new CommandFailed(`The password needs ${[...new Set(broken)].join(', ')}: nothing was changed`);
};
