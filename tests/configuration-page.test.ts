import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { allSettings } from '../server/all-settings.ts';
import { readSettings } from '../server/settings/read-settings.ts';
import { configurationPage } from './configuration-page.ts';

const root = path.dirname(import.meta.dirname);

it('equals docs/configuration.md (UPDATE_CONFIGURATION=1 regenerates it)', () => {
  const file = path.join(root, 'docs/configuration.md');
  const now = configurationPage();
  if (process.env.UPDATE_CONFIGURATION) writeFileSync(file, now);
  expect(readFileSync(file, 'utf8')).toBe(now);
});

it('names each setting once', () => {
  const names = allSettings.map(({ variable }) => variable);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it('links only to pages and headings that exist', () => {
  const headingsOf = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
  for (const [, page = '', heading] of configurationPage().matchAll(/\]\(([^)#]+)(?:#([^)]+))?\)/g)) {
    const headings = headingsOf(path.join(root, 'docs', page));
    if (heading) expect(headings, page).toContain(heading);
  }
});

it.each(allSettings.filter((one) => one.default !== undefined))('$variable accepts its default', (setting) => {
  expect(() => readSettings({}, { setting })).not.toThrow();
});

it.each(allSettings)('$variable is not shown in the error about it', (setting) => {
  const value = 'never~ \u0000 shown';
  const read = () => readSettings({ [setting.variable]: value }, { setting });
  if (setting.schema.safeParse(value).success) expect(read).not.toThrow();
  else expect(read).toThrow(new RegExp(`^(?!.*never~)Setting ${setting.variable}: .`));
});
