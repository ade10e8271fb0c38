import { expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { defaultRetention } from '../../server/imports/import-settings.ts';
import { defaultLimits } from '../../server/imports/limits.ts';
import { StartupError } from '../../server/startup-error.ts';

test('uses the default limits without settings', () => {
  expect(readConfig({}, {}).imports).toEqual({
    limits: defaultLimits,
    retention: defaultRetention,
    reservedBytes: null,
  });
});

const given = {
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
};

test('reads each limit from the environment', () => {
  expect(readConfig(given, {}).imports).toEqual({
    limits: {
      fileBytes: 512 * 2 ** 20,
      filesPerImport: 300,
      zipEntries: 1000,
      zipBytes: 2.5 * 2 ** 30,
      zipRatio: 50,
      zipDepth: 1,
      folderDepth: 8,
      partBytes: 4 * 2 ** 20,
      aws: false,
    },
    retention: { keepMs: 30 * 86_400_000, orphanMs: 48 * 3_600_000, quarantineDays: 90 },
    reservedBytes: 2 ** 29,
  });
});

test.each(Object.keys(given))('an invalid %s prevents startup and is named', (name) => {
  expect(() => readConfig({ [name]: 'much' }, {})).toThrow(StartupError);
  expect(() => readConfig({ [name]: '-1' }, {})).toThrow(name);
});

test('keeps the value of the environment when a flag is not given', () => {
  expect(readConfig({ DENTARIUM_DATA: '/srv/images' }, { data: undefined }).dataFolder).toBe('/srv/images');
});

test('rejects a flag without a value', () => {
  expect(() => readConfig({ DENTARIUM_DATA: '/srv/images' }, { data: '' })).toThrow('--data needs a value');
});

test('rejects an owner of the database without the database of the server', () => {
  expect(() => readConfig({ DATABASE_OWNER_URL: 'postgres://owner@db.example/dentarium' }, {})).toThrow(
    'Setting DATABASE_OWNER_URL: needs DATABASE_URL',
  );
});

test('rejects an address past a pooler without the one that leads through it', () => {
  expect(() => readConfig({ DENTARIUM_DATABASE_DIRECT_URL: 'postgres://a@db.example/dentarium' }, {})).toThrow(
    'Setting DENTARIUM_DATABASE_DIRECT_URL: needs DATABASE_URL',
  );
});
