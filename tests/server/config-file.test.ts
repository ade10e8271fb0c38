import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { allSettings } from '../../server/all-settings.ts';
import { readConfig } from '../../server/config.ts';
import { loadSettings } from '../../server/load-settings.ts';
import { readFlags } from '../../server/read-flags.ts';
import { StartupError } from '../../server/startup-error.ts';
import { archiveCommand } from './archive-command.ts';
import { runToEnd } from './child-server.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = path.join(folder, 'dentarium.conf');
const fileOf = (text: string, mode = 0o600): string => {
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
};

type Environment = Readonly<Record<string, string>>;

const loaded = (args: readonly string[], environment: Environment = {}) => {
  const warnings: string[] = [];
  const flags = readFlags(args);
  const settings = loadSettings(flags, { environment, warn: (sentence) => warnings.push(sentence) });
  return { config: readConfig(settings, flags), settings, warnings };
};
const configOf = (args: readonly string[], environment?: Environment) => loaded(args, environment).config;
const fromFile = (text: string, environment?: Environment) => configOf(['--config', fileOf(text)], environment);

/** A valid value, other than the default, of every setting that needs no other setting or file. */
const values: Environment = {
  PORT: '8123',
  DENTARIUM_HOST: '0.0.0.0',
  DENTARIUM_DATA: '/srv/dentarium',
  DATABASE_URL: 'postgres://archive:p%23ss@db.example/dentarium',
  DENTARIUM_DATABASE_WAIT_SECONDS: '5',
  DENTARIUM_PUBLIC_URL: 'https://images.clinic.example',
  DENTARIUM_LOG_LEVEL: 'warn',
  DENTARIUM_RENDITION_GB: '3',
  DENTARIUM_ACCESS_LOG_YEARS: '12',
  DENTARIUM_CLINIC_RESTORE_DAYS: '14',
  DENTARIUM_IMPORT_FILE_MB: '512',
  DENTARIUM_IMPORT_FILES: '300',
  DENTARIUM_IMPORT_ZIP_ENTRIES: '1000',
  DENTARIUM_IMPORT_ZIP_GB: '2.5',
  DENTARIUM_IMPORT_ZIP_RATIO: '50',
  DENTARIUM_IMPORT_ZIP_DEPTH: '1',
  DENTARIUM_IMPORT_FOLDER_DEPTH: '8',
  DENTARIUM_IMPORT_PART_MB: '4',
  DENTARIUM_IMPORT_KEEP_DAYS: '30',
  DENTARIUM_IMPORT_ORPHAN_HOURS: '48',
  DENTARIUM_QUARANTINE_DAYS: '90',
  DENTARIUM_DISK_RESERVE_GB: '0.5',
  DENTARIUM_LOG: 'stdout',
  DENTARIUM_METRICS_ADDRESS: '127.0.0.1:9464',
  DENTARIUM_DICOMWEB_ORIGINS: 'https://viewer.clinic.example',
  DENTARIUM_DICOM_PORT: '11112',
  DENTARIUM_DICOM_AE_TITLE: 'KLINIKEN',
  DENTARIUM_FILE_CHECK_DAYS: '7',
  DENTARIUM_FILE_CHECK_MB_PER_SECOND: '0.5',
  DENTARIUM_RESET_MINUTES: '15',
  DENTARIUM_SIGNING_KEY_DAYS: '30',
  DENTARIUM_MASTER_KEY_FILE: '/run/keys/dentarium',
  DENTARIUM_MASTER_KEY: 'tests-share-this-key-of-thirty-two-bytes-00',
  DENTARIUM_OPENID_CLIENTS: '[{"id":"intranet","name":"Intranet","redirectUris":["https://intranet.example/cb"]}]',
  DENTARIUM_AZURE_AUTHORITY: 'https://login.example',
  DENTARIUM_AZURE_CLIENT_SECRET: 'an azure secret',
};
/** Settings that are given together. */
const together: readonly Environment[] = [
  {
    DENTARIUM_DICOM_PORT: '11112',
    DENTARIUM_DICOM_HOST: '192.0.2.1',
    DENTARIUM_DICOM_TLS_CERTIFICATE_FILE: '/etc/dicom.pem',
    DENTARIUM_DICOM_TLS_KEY_FILE: '/etc/dicom.key',
    DENTARIUM_DICOM_TLS_CA_FILE: '/etc/devices.pem',
  },
  {
    DATABASE_URL: 'postgres://archive:p%23ss@db.example/dentarium',
    DATABASE_OWNER_URL: 'postgres://owner:p%23ss@db.example/dentarium',
    DENTARIUM_DATABASE_DIRECT_URL: 'postgres://archive:p%23ss@direct.example/dentarium',
    DENTARIUM_DATABASE_CONNECTIONS: '40',
    DENTARIUM_ROLES: 'work',
  },
  {
    DENTARIUM_BACKUP_DIR: '/mnt/backup',
    DENTARIUM_BACKUP_AT: '03:15',
    DENTARIUM_BACKUP_KEEP_DAYS: '60',
    DENTARIUM_BACKUP_MB_PER_SECOND: '5',
  },
  {
    DENTARIUM_SMTP_URL: 'smtp://archive:secret@mail.example:587',
    DENTARIUM_MAIL_FROM: 'Dentarium <noreply@clinic.example>',
    DENTARIUM_SMTP_TLS: 'when-offered',
    DENTARIUM_SMTP_CA_FILE: '/etc/ca.pem',
  },
  {
    DENTARIUM_STORE: 's3',
    DENTARIUM_STORE_ENDPOINT: 'https://store.example',
    DENTARIUM_STORE_BUCKET: 'dentarium-archive',
    DENTARIUM_STORE_REGION: 'eu-north-1',
    DENTARIUM_STORE_ACCESS_KEY_ID: 'id',
    DENTARIUM_STORE_SECRET_ACCESS_KEY: 'key',
    DENTARIUM_STORE_PATH_STYLE: '0',
    DENTARIUM_STORE_ENCRYPTION: 'AES256',
    DENTARIUM_STORE_CACHE_GB: '5',
  },
  {
    DENTARIUM_S3_ENDPOINT: 'https://s3.example',
    DENTARIUM_S3_BUCKET: 'dentarium-files',
    DENTARIUM_S3_REGION: 'eu-north-1',
    DENTARIUM_S3_ACCESS_KEY_ID: 'id',
    DENTARIUM_S3_SECRET_ACCESS_KEY: 'key',
    DENTARIUM_S3_PUBLIC_ENDPOINT: 'https://files.example',
    DENTARIUM_S3_PATH_STYLE: '0',
  },
  {
    DENTARIUM_SMS_URL: 'https://sms.example/send',
    DENTARIUM_SMS_USER: 'user',
    DENTARIUM_SMS_PASSWORD: 'password',
    DENTARIUM_SMS_FROM: 'Klinik',
    DENTARIUM_SMS_FORMAT: 'json',
  },
  { DENTARIUM_SMS_URL: 'https://sms.example/send', DENTARIUM_SMS_TOKEN: 'token' },
  {
    DENTARIUM_SITHS_ISSUER: 'https://idp.example',
    DENTARIUM_SITHS_CLIENT_ID: 'archive',
    DENTARIUM_SITHS_CLIENT_SECRET: 'secret',
    DENTARIUM_SITHS_LABEL: 'SITHS',
    DENTARIUM_SITHS_PRIVATE_KEY_ID: 'key',
    DENTARIUM_SITHS_SCOPE: 'openid',
    DENTARIUM_SITHS_CLAIM: 'pnr',
  },
  {
    DENTARIUM_OPENID_ISSUER: 'https://login.example',
    DENTARIUM_OPENID_CLIENT_ID: 'archive',
    DENTARIUM_OPENID_CLIENT_SECRET: 'secret',
    DENTARIUM_OPENID_LABEL: 'Clinic',
    DENTARIUM_OPENID_SCOPE: 'openid email',
    DENTARIUM_OPENID_CLAIM: 'upn',
    DENTARIUM_OPENID_ACCOUNT_FIELD: 'azure_username',
  },
];
/** Read from files, by no configuration, or parsed into a function: tested on their own. */
const apart = [
  'DENTARIUM_CONFIG',
  'DENTARIUM_TRUST_PROXY',
  'DENTARIUM_SITHS_PRIVATE_KEY_FILE',
  'DENTARIUM_BACKUP_PASSPHRASE',
  ...['CERTIFICATE', 'PASSPHRASE', 'CA', 'URL', 'POLICIES'].map((name) => `DENTARIUM_BANKID_${name}`),
];
const cases: readonly Environment[] = [
  ...Object.entries(values).map(([name, value]) => ({ [name]: value })),
  ...together,
];

describe('a setting', () => {
  it.each(cases.map((one) => [Object.keys(one).join(', '), one] as const))(
    '%s gives the same configuration by environment and file',
    (_, settings) => {
      const byEnvironment = configOf([], settings);
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
      expect(fromFile(lines.join('\n'))).toEqual(byEnvironment);
      expect(byEnvironment).not.toEqual(configOf([]));
    },
  );

  it.each(allSettings.flatMap(({ flag, variable }) => (flag && flag !== 'config' ? [[flag, variable]] : [])))(
    'of the flag --%s gives the same configuration by %s',
    (flag, variable) => {
      const value = values[variable] ?? '';
      expect(configOf([`--${flag}`, value])).toEqual(configOf([], { [variable]: value }));
    },
  );

  it('is tested here, whichever it is', () => {
    const tested = [...cases.flatMap((one) => Object.keys(one)), ...apart];
    expect(allSettings.map(({ variable }) => variable).filter((name) => !tested.includes(name))).toEqual([]);
  });

  it('reaches the passphrase of backups, and the trusted proxies', () => {
    const { settings, config } = loaded([
      '--config',
      fileOf('DENTARIUM_BACKUP_PASSPHRASE=correct horse\nDENTARIUM_TRUST_PROXY=10.0.0.1'),
    ]);
    expect(settings.DENTARIUM_BACKUP_PASSPHRASE).toBe('correct horse');
    expect(config.trustProxy?.('10.0.0.1', 0)).toBe(true);
  });

  it('is taken from flag, environment, file and default, in this order', () => {
    const args = ['--config', fileOf('PORT=3')];
    expect(configOf([...args, '--port', '1'], { PORT: '2' }).port).toBe(1);
    expect(configOf(args, { PORT: '2' }).port).toBe(2);
    expect(configOf(args, { PORT: '' }).port).toBe(3);
    expect(fromFile('PORT=').port).toBe(8080);
  });
});

describe('the configuration file', () => {
  it('is named by --config, else by DENTARIUM_CONFIG', () => {
    const other = path.join(folder, 'other.conf');
    writeFileSync(other, 'PORT=4');
    fileOf('PORT=3');
    expect(configOf([], { DENTARIUM_CONFIG: file }).port).toBe(3);
    expect(configOf(['--config', other], { DENTARIUM_CONFIG: file }).port).toBe(4);
  });

  it.each([
    ['# a comment\n\n  # another\nDENTARIUM_DATA=/a # the disk\n', '/a'],
    ['\uFEFFDENTARIUM_DATA=/a\r\nPORT=1\r\n', '/a'],
    ['  export DENTARIUM_DATA = /a b  ', '/a b'],
    ['DENTARIUM_DATA="/a#b" # the disk', '/a#b'],
    ['DENTARIUM_DATA=\'/a "b"\'', '/a "b"'],
    ["DENTARIUM_DATA=/it's", "/it's"],
  ])('%j is read', (text, dataFolder) => {
    expect(fromFile(text).dataFolder).toBe(dataFolder);
  });

  it.each([
    ['PORT=1\nDENTARIUM_PUBLIC_ULR=x', 2, 'there is no setting DENTARIUM_PUBLIC_ULR; .* DENTARIUM_PUBLIC_URL'],
    ['PATH=/bin', 1, 'there is no setting PATH'],
    ['\nsecret-1', 2, 'not a setting, which is written NAME=value'],
    ['=secret-1', 1, 'not a setting'],
    ['DENTARIUM_DATA: secret-1', 1, 'not a setting'],
    ['PORT=1\n# x\nPORT=secret-1', 3, 'PORT is set a second time, after line 1'],
    ['DENTARIUM_BACKUP_PASSPHRASE=secret-1#2', 1, 'DENTARIUM_BACKUP_PASSPHRASE: a value with # must be in quotes'],
    ['DENTARIUM_BACKUP_PASSPHRASE="secret-1', 1, 'DENTARIUM_BACKUP_PASSPHRASE: the quotes do not enclose'],
    ['DENTARIUM_BACKUP_PASSPHRASE="secret-1"2"', 1, 'DENTARIUM_BACKUP_PASSPHRASE: the quotes do not enclose'],
    ['DENTARIUM_CONFIG=secret-1', 1, 'DENTARIUM_CONFIG cannot be set in the file itself'],
  ])('%j prevents startup with file, line and name', (text, line, problem) => {
    expect(() => fromFile(text)).toThrow(StartupError);
    expect(() => fromFile(text)).toThrow(new RegExp(`^Configuration file ${file}, line ${line}: ${problem}`));
    expect(() => fromFile(text)).not.toThrow('secret-1');
  });

  it('prevents startup when it cannot be read', () => {
    const absent = path.join(folder, 'absent.conf');
    expect(() => configOf(['--config', absent])).toThrow(`Configuration file ${absent}: cannot be read (ENOENT)`);
    expect(() => configOf(['--config', folder])).toThrow(`Configuration file ${folder}: cannot be read (EISDIR)`);
    expect(() => configOf(['--config', ''])).toThrow('--config needs a value');
  });
});

describe('a warning', () => {
  const warningsOf = (text: string, mode: number) => loaded(['--config', fileOf(text, mode)]).warnings;

  it('names the most similar setting for an unknown name of the product', () => {
    const { warnings } = loaded([], { DENTARIUM_IMPORT_ZIP_GBS: '1', DENTARIUM_PORT: '1', SOMETHING: 'else' });
    expect(warnings).toEqual([
      'Warning: there is no setting DENTARIUM_IMPORT_ZIP_GBS; the most similar name is DENTARIUM_IMPORT_ZIP_GB',
      'Warning: there is no setting DENTARIUM_PORT; the most similar name is PORT',
    ]);
  });

  it('is not printed for settings and variables of scripts and tests', () => {
    const names = ['DENTARIUM_COMMIT', 'DENTARIUM_CHROMIUM', 'DENTARIUM_TEST_SOCKET', 'DENTARIUM_BENCH_FILES'];
    expect(loaded([], { ...values, ...Object.fromEntries(names.map((name) => [name, 'x'])) }).warnings).toEqual([]);
  });

  it('names the secrets of a file that every user can read', () => {
    const secret = 'DENTARIUM_AZURE_CLIENT_SECRET=x';
    expect(warningsOf(secret, 0o644)).toEqual([
      `Warning: every user of this machine can read ${file}, which contains DENTARIUM_AZURE_CLIENT_SECRET: run chmod o= ${file}`,
    ]);
    expect(warningsOf(secret, 0o640)).toEqual([]);
    expect(warningsOf('PORT=1', 0o644)).toEqual([]);
  });
});

describe('the programs', () => {
  it('read the file: server', async () => {
    const { code, lines } = await runToEnd(['--config', fileOf('PORT=abc')], { DENTARIUM_HOTS: 'x' });
    expect(code).toBe(1);
    expect(lines).toEqual([
      'Warning: there is no setting DENTARIUM_HOTS; the most similar name is DENTARIUM_HOST',
      expect.stringMatching(/^Setting "port" \(PORT\)/),
    ]);
  });

  it.each([
    ['backup', '--to', folder],
    ['verify'],
    ['quarantine', 'list'],
    ['user', 'list'],
    ['keys', 'rotate'],
    ['move-database', '--to', 'postgres://localhost/empty'],
    ['move-files', '--to', 'bucket'],
  ])('read the file: %s', async (...args) => {
    const { code, stderr } = await archiveCommand([...args, '--config', fileOf('PORT=abc')]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Setting "port" \(PORT\)/)]);
  });

  it('read the file: doctor, which reports what is wrong in it', async () => {
    const { code, stdout } = await archiveCommand(['doctor', '--config', fileOf('PORT=abc')]);
    expect([code, stdout]).toEqual([3, expect.stringMatching(/^error +configuration: Setting "port" \(PORT\)/)]);
  });
});
