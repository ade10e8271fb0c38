import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { documentFiles } from '../../tools/package/stage-program.ts';

const root = path.join(import.meta.dirname, '../..');
/** Part of the program of every package. */
const isOfProgram = (name: string) => /^(server|contract|dicom|demo|locales|package\.json)/.test(name);

const linksOf = (name: string): readonly string[] =>
  [...readFileSync(path.join(root, name), 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => path.posix.join(path.posix.dirname(name), link));

const operatorPages = [
  'README.md',
  'CHANGELOG.md',
  ...['operate', 'commands', 'configuration', 'monitoring', 'sign-in', 'object-store'].map((page) => `docs/${page}.md`),
];

it.each(operatorPages)('a package contains what %s links to', (page) => {
  const packaged = documentFiles(root);
  expect(packaged).toContain(page);
  for (const link of linksOf(page)) {
    expect(existsSync(path.join(root, link)), link).toBe(true);
    expect(
      packaged.includes(link) || isOfProgram(link) || packaged.some((name) => name.startsWith(`${link}/`)),
      link,
    ).toBe(true);
  }
});
