import type { Kysely } from 'kysely';
import { readConfig } from '../config.ts';
import type { Schema } from '../db/schema.ts';
import { allEmployees, type EmployeeRow } from '../db/stores/employee-store.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { signInAttempts } from '../identity/attempts.ts';
import { operatorChanges } from '../identity/operator-changes.ts';
import { loadSettings } from '../load-settings.ts';
import { program } from '../program-name.ts';
import { readNewPassword } from './new-password.ts';
import { openArchiveForCommand } from './open-archive.ts';
import { readOptions } from './options.ts';
import { type CommandOutput, help, outputOf } from './output.ts';
import { CommandFailed, UsageError } from './usage.ts';

const userHelp = `Usage: ${program} user <action> [--email EMAIL]

Helps users and administrators who cannot sign in. Every change is written to the access log as an
action of the command line, and takes effect at once, whether the server runs or not.

Actions:
  list                 lists all users: e-mail address, name, role, clinic and state
  super-administrator  makes a user system administrator. The user leaves the clinic, is activated
                       and signs in again. A user of a new archive is created by the set-up link
                       that the server prints
  set-password         sets a password and ends the sessions of the user. The password is asked for
                       in the terminal, or read from stdin; it is never an argument
  reset-two-factor     turns two-factor authentication off and ends the sessions of the user
  unlock               lets a user sign in again who waits after wrong passwords or codes. Waiting
                       times of an address, from which many users sign in, end within 15 minutes

Options:
  --email EMAIL  the user, required but for list
  --data DIR     the data folder (default: DENTARIUM_DATA)
  --config FILE  the configuration file
  --json         prints one JSON object
  --help         prints this text

Exit codes: 0 done, 1 not done (one sentence on stderr), 2 wrong usage.
`;

const stateOf = ({ isActive }: EmployeeRow, isBlocked: boolean): string => {
  if (!isActive) return 'inactive';
  return isBlocked ? 'waits after wrong passwords' : 'active';
};

const shown = (row: EmployeeRow, isBlocked: boolean) => ({
  email: row.email,
  name: `${row.firstName} ${row.lastName}`,
  role: row.roleName,
  clinic: row.customerName,
  twoFactor: row.twoFactorEnabled,
  state: stateOf(row, isBlocked),
});

const list = async (db: Kysely<Schema>, json: boolean): Promise<CommandOutput> => {
  const rows = await allEmployees(db);
  const blocked = await signInAttempts(db).blockedAmong(rows);
  const users = rows.map((row) => shown(row, blocked.includes(row)));
  if (json) return outputOf({ users }, { json });
  const lines = users.map(({ email, name, role, clinic, twoFactor, state }) =>
    [email, name, role, clinic ?? 'no clinic', twoFactor ? 'two-factor' : 'password only', state].join('\t'),
  );
  return { text: lines.map((line) => `${line}\n`).join(''), hasProblems: false };
};

interface Change {
  readonly make: (db: Kysely<Schema>, email: string) => Promise<EmployeeRow>;
  readonly summary: string;
}

/** Asks for what a change needs before the database is opened. @throws CommandFailed */
const changeOf = async (action: string | undefined): Promise<Change> => {
  switch (action) {
    case 'super-administrator':
      return {
        make: (db, email) => operatorChanges(db).makeSuperAdministrator(email),
        summary: 'The user is super administrator and signs in again.',
      };
    case 'set-password': {
      const password = await readNewPassword();
      return {
        make: (db, email) => operatorChanges(db).setPassword(email, password),
        summary: 'The password is set; the user signs in again.',
      };
    }
    case 'reset-two-factor':
      return {
        make: (db, email) => operatorChanges(db).resetTwoFactor(email),
        summary: 'Two-factor authentication is off; the user signs in again.',
      };
    case 'unlock':
      return {
        make: (db, email) => operatorChanges(db).unlock(email),
        summary: 'The user can sign in at once.',
      };
    default:
      throw new UsageError(
        `${action ? `There is no action "${action}"` : 'An action is missing'}: list, super-administrator, set-password, reset-two-factor, unlock`,
      );
  }
};

const changed = async (db: Kysely<Schema>, email: string, { make }: Change): Promise<EmployeeRow> => {
  try {
    return await make(db, email);
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'user-not-found')
      throw new CommandFailed(`There is no user with the e-mail address ${email}`);
    throw error;
  }
};

/** Lists users, or changes one. @throws UsageError, CommandFailed, StartupError */
export const userCommand = async (args: readonly string[]): Promise<CommandOutput> => {
  const { values, positionals } = readOptions(args, { email: { type: 'string' } });
  const { json, email } = values;
  if (values.help) return help(userHelp);
  const [action, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`"${more[0]}" is one argument too many`);
  const isList = action === 'list';
  if (isList && email !== undefined) throw new UsageError('user list lists all users: it has no --email');
  if (!isList && action !== undefined && !email) throw new UsageError(`user ${action} needs --email EMAIL`);
  const change = isList ? null : await changeOf(action);
  const config = readConfig(loadSettings(values), { data: values.data });
  process.umask(0o077);
  const archive = await openArchiveForCommand(config);
  try {
    if (!change) return await list(archive.db, json);
    return outputOf(shown(await changed(archive.db, email ?? '', change), false), { json, summary: change.summary });
  } finally {
    await archive.close();
  }
};
