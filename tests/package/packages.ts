import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

const run = (file: string, ...args: readonly string[]): void => {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: ${stdout}${stderr}`);
};

/** Runs `npm run package`. Returns the path of the Debian package. */
export const buildPackage = (folder: string): string => {
  run(process.execPath, path.join(root, 'scripts/package.mjs'), '--out', folder);
  const name = readdirSync(folder).find((one) => one.endsWith('.deb'));
  if (!name) throw new Error('no package was made');
  return path.join(folder, name);
};

const replaceIn = (file: string, pattern: RegExp, text: string): void =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(pattern, text));

/** Makes a package with the same contents and another version. Returns its path. */
export const withVersion = (file: string, version: string, folder: string): string => {
  const layout = path.join(folder, `layout-${version}`);
  run('dpkg-deb', '-R', file, layout);
  replaceIn(path.join(layout, 'DEBIAN/control'), /^Version: .*$/m, `Version: ${version}`);
  replaceIn(path.join(layout, 'usr/lib/dentarium/package.json'), /"version": "[^"]*"/, `"version": "${version}"`);
  const target = path.join(folder, 'previous.deb');
  run('dpkg-deb', '-Zgzip', '-z1', '--build', layout, target);
  return target;
};
