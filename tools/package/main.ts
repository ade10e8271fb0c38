import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { version } from '../../server/version.ts';
import { run, writeDebianPackage } from './debian-package.ts';
import { stageProgram } from './stage-program.ts';

const root = path.join(import.meta.dirname, '../..');
const helpText = `Usage: npm run package [-- --out DIR]

Writes the Debian package and the tarball of this version to DIR (dist-packages). Both contain Node,
PostgreSQL and all npm packages of the server; needs dpkg-deb and tar.
`;

const reportSize = (file: string): void => {
  process.stdout.write(`  ${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB\n`);
};

const writePackages = (output: string): void => {
  if (process.platform !== 'linux') throw new Error('packages are made on Linux, for the architecture of this machine');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-package-'));
  try {
    const layout = path.join(folder, 'debian');
    const program = path.join(layout, 'usr/lib/dentarium');
    stageProgram({ root, target: program, commit: process.env.DENTARIUM_COMMIT ?? 'release', node: process.execPath });
    mkdirSync(output, { recursive: true });
    reportSize(writeDebianPackage({ root, layout, output, version }));
    const name = `dentarium-${version}-linux-${process.arch}`;
    renameSync(program, path.join(folder, name));
    const target = path.join(output, `${name}.tar.gz`);
    const seconds = process.env.SOURCE_DATE_EPOCH ?? '0';
    const sameForAll = ['--sort=name', `--mtime=@${seconds}`, '--owner=0', '--group=0', '--numeric-owner'];
    run('tar', [...sameForAll, '-czf', target, name], folder);
    reportSize(target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

try {
  const { out, help } = parseArgs({
    options: { out: { type: 'string', default: 'dist-packages' }, help: { type: 'boolean', default: false } },
  }).values;
  if (help) process.stdout.write(helpText);
  else writePackages(path.resolve(out));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
