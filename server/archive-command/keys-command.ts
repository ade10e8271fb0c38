import path from 'node:path';
import { type Config, readConfig } from '../config.ts';
import { withServersExcluded } from '../db/no-server.ts';
import { readDataKey } from '../db/stores/data-keys.ts';
import { newKey } from '../domain/named-key.ts';
import { operatorChanges } from '../identity/operator-changes.ts';
import { loadSettings } from '../load-settings.ts';
import { program } from '../program-name.ts';
import { MasterKeyMissing, openMasterKey, unusedKeyFile, useKeyFile, writeKeyFile } from '../secrets/master-key.ts';
import { masterKeyVariables } from '../secrets/master-key-settings.ts';
import { openVault } from '../secrets/open-vault.ts';
import { type OpenArchiveForCommand, openArchiveForCommand } from './open-archive.ts';
import { readOptions } from './options.ts';
import { type CommandOutput, help, outputOf } from './output.ts';
import { CommandFailed, UsageError } from './usage.ts';

const keysHelp = `Usage: ${program} keys <action>

Every action is written to the access log as an action of the command line.

Actions:
  rotate         makes a new key that signs sign-ins, as the server does every
                 DENTARIUM_SIGNING_KEY_DAYS days. Users stay signed in. Running servers use the new
                 key within half a minute
                   --distrust   deletes the older keys as well, after one may have leaked: what they
                                signed is rejected, and browsers renew it without the user
  change-master  encrypts the secrets in the database with a new master key. Stop all servers
                 before; users stay signed in. The earlier key stays beside the new one, named by
                 its id, for the backups of its time. Where the key comes from
                 ${masterKeyVariables.key.variable}, give it the contents of the new file afterwards
                   --to FILE    the file for the new key, which must not exist; needed with
                                ${masterKeyVariables.key.variable} only
  discard        deletes the secrets whose master key is lost, so that the server starts again. Stop
                 all servers before. Users sign in again, without two-factor authentication: the
                 command lists who had it

Options:
  --data DIR     the data folder (default: DENTARIUM_DATA)
  --config FILE  the configuration file
  --json         prints one JSON object
  --help         prints this text

Exit codes: 0 done, 1 not done (one sentence on stderr), 2 wrong usage.
`;

const served = 'A server uses the database of this installation: stop all servers first';

interface Command {
  readonly archive: OpenArchiveForCommand;
  readonly config: Config;
  readonly options: { readonly json: boolean; readonly distrust: boolean; readonly to?: string | undefined };
}

const rotate = async ({ archive, config, options: { distrust, json } }: Command): Promise<CommandOutput> => {
  const vault = await openVault(archive.db, config.masterKey);
  const kid = await operatorChanges(archive.db).rotateKeys(vault, { distrust });
  return outputOf({ key: kid, olderKeys: distrust ? 'deleted' : 'still accepted' }, { json });
};

/** Id of the master key in use. @throws CommandFailed when nothing is encrypted */
const usedKeyId = async ({ db }: OpenArchiveForCommand): Promise<string> => {
  const dataKey = await readDataKey(db);
  if (!dataKey) throw new CommandFailed('No secret is encrypted yet: start the server once');
  return dataKey.master_key_id;
};

const changeMaster = async ({ archive, config, options: { to, json } }: Command): Promise<CommandOutput> => {
  const { masterKey } = config;
  const key = await openMasterKey(masterKey, await usedKeyId(archive));
  const next = newKey();
  const change = async (file: string) => {
    if (!(await writeKeyFile(file, next))) throw new CommandFailed(`${file} exists already`);
    await operatorChanges(archive.db).changeMasterKey(key, next);
  };
  if ('file' in masterKey) {
    const { file } = masterKey;
    if (to !== undefined) throw new UsageError(`change-master has no --to, as the key is in ${file}`);
    await change(unusedKeyFile(file, next));
    await useKeyFile(file, key, next);
    return outputOf({ masterKey: next.id, file, earlier: unusedKeyFile(file, key) }, { json });
  }
  const { variable } = masterKeyVariables.key;
  if (to === undefined) throw new UsageError(`change-master needs --to FILE, as the key is in ${variable}`);
  const file = path.resolve(to);
  await change(file);
  return outputOf({ masterKey: next.id, file }, { json, summary: `Set ${variable} to its contents.` });
};

const discard = async ({ archive, config, options: { json } }: Command): Promise<CommandOutput> => {
  const keyId = await usedKeyId(archive);
  const isThere = await openMasterKey(config.masterKey, keyId).then(
    () => true,
    (error: unknown) => {
      if (error instanceof MasterKeyMissing) return false;
      throw error;
    },
  );
  if (isThere) throw new CommandFailed(`The master key ${keyId} is there: nothing is discarded`);
  const users = await operatorChanges(archive.db).discardSecrets();
  return outputOf(
    { lostKey: keyId, withoutTwoFactor: users },
    { json, summary: 'The server makes new secrets at its start.' },
  );
};

const actions: Readonly<Record<string, (command: Command) => Promise<CommandOutput>>> = {
  rotate,
  'change-master': (command) =>
    withServersExcluded(command.archive.database.address, served, () => changeMaster(command)),
  discard: (command) => withServersExcluded(command.archive.database.address, served, () => discard(command)),
};

/** Changes the keys of the installation. @throws UsageError, CommandFailed, DatabaseServed, StartupError */
export const keysCommand = async (args: readonly string[]): Promise<CommandOutput> => {
  const { values: options, positionals } = readOptions(args, {
    distrust: { type: 'boolean', default: false },
    to: { type: 'string' },
  });
  if (options.help) return help(keysHelp);
  const [name = '', ...more] = positionals;
  const action = actions[name];
  if (!action || more.length > 0) throw new UsageError(`keys has the actions ${Object.keys(actions).join(', ')}`);
  if (options.distrust && name !== 'rotate') throw new UsageError('--distrust belongs to keys rotate');
  if (options.to !== undefined && name !== 'change-master') throw new UsageError('--to belongs to keys change-master');
  const config = readConfig(loadSettings(options), { data: options.data });
  process.umask(0o077);
  const archive = await openArchiveForCommand(config);
  try {
    return await action({ archive, config, options });
  } finally {
    await archive.close();
  }
};
