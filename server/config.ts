import os from 'node:os';
import path from 'node:path';
import { type BackupSettings, readBackupSettings } from './backup/backup-settings.ts';
import { type GatewaySettings, readGatewaySettings } from './dicom-gateway/gateway-settings.ts';
import { type IdentitySettings, readIdentitySettings } from './identity/identity-settings.ts';
import { type ImportSettings, readImportSettings } from './imports/import-settings.ts';
import { type FileCheckSettings, readFileCheckSettings } from './integrity/check-settings.ts';
import { type MailSettings, readMailSettings } from './mail/mail-settings.ts';
import { type MetricsAddress, readMetricsAddress } from './metrics/metrics-address.ts';
import { readDicomWebOrigins } from './resource/dicomweb/dicomweb-settings.ts';
import { type MasterKeySource, readMasterKeySource } from './secrets/master-key-settings.ts';
import { serverVariables } from './server-settings.ts';
import { readSettings } from './settings/read-settings.ts';
import type { Environment, Flags, Setting, SettingValues } from './settings/setting.ts';
import { StartupError } from './startup-error.ts';
import { type BucketConfig, readBucket } from './storage/bucket/bucket-config.ts';
import { type ObjectStoreConfig, readObjectStore } from './storage/object-store-config.ts';

export type Config = Omit<SettingValues<typeof serverVariables>, 'data'> & {
  /** Absolute. */
  readonly dataFolder: string;
  /** Do not create the demo clinic at the first start. */
  readonly empty: boolean;
  /** Fill the data folder and exit. */
  readonly seedOnly: boolean;
  /** Vite serves the browser files and proxies API calls to this server. */
  readonly dev: boolean;
  /** Null: image files are in the data folder. */
  readonly filesBucket: BucketConfig | null;
  /** Null: files are uploaded to the server only. */
  readonly objectStore: ObjectStoreConfig | null;
  readonly imports: ImportSettings;
  /** Null: no e-mail is sent. */
  readonly mail: MailSettings | null;
  readonly identity: IdentitySettings;
  readonly masterKey: MasterKeySource;
  readonly fileCheck: FileCheckSettings;
  readonly dicomWebOrigins: readonly string[];
  readonly dicom: GatewaySettings;
  /** Null: metrics are not served. */
  readonly metrics: MetricsAddress | null;
  /** Null: backups are made by command only. */
  readonly backup: BackupSettings | null;
};

const withFlags = (environment: Environment, flags: Flags): Environment => {
  const given = Object.values<Setting>(serverVariables).flatMap(({ variable, flag = '' }) => {
    const value = flags[flag];
    if (value === '') throw new StartupError(`--${flag} needs a value`);
    return typeof value === 'string' ? [[variable, value]] : [];
  });
  return { ...environment, ...Object.fromEntries(given) };
};

/**
 * Parses settings (see `loadSettings`) and command-line flags, which take precedence, into a configuration.
 * @throws StartupError naming the first invalid setting, never its value
 */
export const readConfig = (environment: Environment, flags: Flags): Config => {
  const { data, ...server } = readSettings(withFlags(environment, flags), serverVariables, {
    nameOf: (key, { variable }) => `"${key}" (${variable})`,
  });
  if (server.databaseOwnerUrl !== undefined && server.databaseUrl === undefined)
    throw new StartupError('Setting DATABASE_OWNER_URL: needs DATABASE_URL, the same database as another role');
  const dataFolder = path.resolve(data.replace(/^~(?=\/|$)/, os.homedir()));
  if (server.databaseDirectUrl !== undefined && server.databaseUrl === undefined)
    throw new StartupError(
      'Setting DENTARIUM_DATABASE_DIRECT_URL: needs DATABASE_URL, the same database through a pooler',
    );
  return {
    ...server,
    empty: flags.empty === true,
    seedOnly: flags['seed-only'] === true,
    dev: flags.dev === true,
    dataFolder,
    filesBucket: readBucket(environment),
    objectStore: readObjectStore(environment),
    imports: readImportSettings(environment),
    fileCheck: readFileCheckSettings(environment),
    dicomWebOrigins: readDicomWebOrigins(environment),
    dicom: readGatewaySettings(environment),
    backup: readBackupSettings(environment),
    mail: readMailSettings(environment),
    metrics: readMetricsAddress(environment),
    identity: readIdentitySettings(environment),
    masterKey: readMasterKeySource(environment, dataFolder),
  };
};
