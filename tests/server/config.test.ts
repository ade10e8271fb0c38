import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { defaultKeeping } from '../../server/imports/import-settings.ts';
import { defaultLimits } from '../../server/imports/limits.ts';
import { StartRefused } from '../../server/start-refused.ts';

test('without settings the usual limits hold', () => {
  expect(readConfig({}, {}).imports).toEqual({ limits: defaultLimits, keeping: defaultKeeping });
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
};

test('each limit is a setting of the environment', () => {
  expect(readConfig(given, {}).imports).toEqual({
    limits: {
      ...{ fileBytes: 512 * 2 ** 20, filesPerImport: 300, zipEntries: 1000, zipBytes: 2.5 * 2 ** 30, zipRatio: 50 },
      ...{ zipDepth: 1, folderDepth: 8, partBytes: 4 * 2 ** 20, aws: false },
    },
    keeping: { keepMs: 30 * 86_400_000, orphanMs: 48 * 3_600_000 },
  });
});

test.each(Object.keys(given))('a wrong %s keeps the server from starting, by its name', (name) => {
  expect(() => readConfig({ [name]: 'much' }, {})).toThrow(StartRefused);
  expect(() => readConfig({ [name]: '-1' }, {})).toThrow(name);
});

test.each(Object.keys(given))('the README tells of %s', (name) => {
  expect(readFileSync(path.join(import.meta.dirname, '../../README.md'), 'utf8')).toContain(`\`${name}\``);
});
