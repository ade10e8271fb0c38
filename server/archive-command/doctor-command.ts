import { email } from '../../contract/bounds.ts';
import { lostArchive } from '../backup/lost-archive.ts';
import { type Config, readConfig } from '../config.ts';
import { hasEmbeddedDatabase, openUnmigrated } from '../db/open-database.ts';
import { openFilesRoot } from '../files-root.ts';
import { telephoneOf } from '../identity/sms/telephone.ts';
import { loadSettings } from '../load-settings.ts';
import { program } from '../program-name.ts';
import { StartupError } from '../startup-error.ts';
import { checkBackup } from './doctor/backup.ts';
import { type Check, failure, failureOf, kindOf, ok, warning } from './doctor/check.ts';
import { checkDataFolder } from './doctor/data-folder.ts';
import { checkDatabase } from './doctor/database.ts';
import { checkMachine } from './doctor/machine.ts';
import { checkMasterKey } from './doctor/master-key.ts';
import { checkMail, checkSms } from './doctor/messages.ts';
import { checkPublicUrl } from './doctor/public-url.ts';
import { type OpenArchiveForCommand, openArchiveForCommand } from './open-archive.ts';
import { readOptions } from './options.ts';
import { type CommandOutput, help } from './output.ts';
import { UsageError } from './usage.ts';

const doctorHelp = `Usage: ${program} doctor [--mail-to ADDRESS] [--sms-to NUMBER]

Checks the installation: one line for each check with its state (ok, warning, error), and what to do.
Changes nothing and prints no secret. Run it as the user of the server, with the same settings. It
connects only to the servers in the configuration.

Options:
  --mail-to ADDRESS  sends a test message by e-mail
  --sms-to NUMBER    sends a test message by SMS
  --data DIR         the data folder (default: DENTARIUM_DATA)
  --config FILE      the configuration file
  --json             prints one JSON object
  --help             prints this text

Exit codes: 0 everything is right, 1 failed, 2 wrong usage, 3 there are warnings or errors.
`;

const databaseWaitSeconds = 5;

const configurationOf = (flags: { readonly data?: string; readonly config?: string }): Config | Check => {
  try {
    return readConfig(loadSettings(flags), { data: flags.data });
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return failure('configuration', error.message, 'Correct the setting');
  }
};

/** Creates no data folder with an external database, which has none to lock. */
const openExisting = async (config: Config): Promise<OpenArchiveForCommand> => {
  const { dataFolder, databaseUrl, databaseDirectUrl } = config;
  if (!databaseUrl) return openArchiveForCommand(config, openUnmigrated);
  const { database, close } = await openUnmigrated({
    dataFolder,
    databaseUrl,
    databaseDirectUrl,
    databaseWaitSeconds,
  });
  return { database, db: database.db, root: await openFilesRoot(config), close };
};

/** Opens the database without creating one, and checks it. */
const withDatabase = async (
  config: Config,
  work: (archive: OpenArchiveForCommand | null) => Promise<readonly Check[]>,
): Promise<readonly Check[]> => {
  const { dataFolder, databaseUrl } = config;
  if (!databaseUrl && !hasEmbeddedDatabase(dataFolder)) {
    const lost = await lostArchive(config);
    const missing = lost
      ? failureOf('database', lost)
      : warning('database', 'not created yet', 'The first start of the server creates it');
    return [missing, ...(await work(null))];
  }
  const opened = await openExisting(config).catch((error: unknown) => {
    const text = error instanceof StartupError ? error.message : `cannot be opened (${kindOf(error)})`;
    const cure = databaseUrl
      ? 'Check DATABASE_URL, PostgreSQL, its pg_hba.conf and the firewall'
      : 'See database.log in the data folder';
    return failure('database', text, cure);
  });
  if ('state' in opened) return [opened, ...(await work(null))];
  try {
    const ofDatabase = await checkDatabase(opened, { isEmbedded: !databaseUrl }).catch((error: unknown) => [
      failure('database', `does not answer (${kindOf(error)})`, 'See the log of PostgreSQL'),
    ]);
    return [
      ...ofDatabase,
      await checkMasterKey(opened.db, config.masterKey),
      await checkBackup(opened.db, config),
      ...(await work(opened)),
    ];
  } finally {
    await opened.close();
  }
};

const outputOfChecks = (checks: readonly Check[], json: boolean): CommandOutput => {
  const lines = checks.map(
    ({ state, name, text, cure }) => `${state.padEnd(7)}  ${name}: ${text}${cure === null ? '' : `. ${cure}`}\n`,
  );
  return {
    text: json ? `${JSON.stringify({ checks })}\n` : lines.join(''),
    hasProblems: checks.some(({ state }) => state !== 'ok'),
  };
};

/** Checks the installation. @throws UsageError */
export const doctorCommand = async (args: readonly string[]): Promise<CommandOutput> => {
  const { values: options } = readOptions(args, { 'mail-to': { type: 'string' }, 'sms-to': { type: 'string' } });
  if (options.help) return help(doctorHelp);
  const mailTo = options['mail-to'] ?? null;
  if (mailTo !== null && !email.safeParse(mailTo).success) throw new UsageError('--mail-to is no e-mail address');
  const number = options['sms-to'];
  const smsTo = number === undefined ? null : telephoneOf(number);
  if (number !== undefined && smsTo === null) throw new UsageError('--sms-to is no number of a mobile telephone');
  const config = configurationOf(options);
  if ('state' in config) return outputOfChecks([config, ...checkMachine()], options.json);
  process.umask(0o077);
  const checks = [
    ok('configuration', 'valid'),
    ...(await checkDataFolder(config.dataFolder, config.imports.reservedBytes)),
    ...(await withDatabase(config, (archive) => checkPublicUrl(config, archive))),
    await checkMail(config.mail, mailTo),
    await checkSms(config.identity.sms, smsTo),
    ...checkMachine(),
  ];
  return outputOfChecks(checks, options.json);
};
