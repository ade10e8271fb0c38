import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { allSettings } from '../../server/all-settings.ts';
import { readConfigFile } from '../../server/settings/config-file.ts';

it('is a configuration file whose commented settings exist', () => {
  using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'dentarium-settings-'));
  const packaged = readFileSync(path.join(import.meta.dirname, '../../deploy/debian/dentarium.conf'), 'utf8');
  const file = path.join(folder.path, 'dentarium.conf');
  writeFileSync(file, packaged.replaceAll(/^#(?=\S)/gm, ''));
  const known = allSettings.map(({ variable }) => variable);
  expect(readConfigFile(file, known).values.get('DENTARIUM_DATA')).toBe('/var/lib/dentarium');
});
