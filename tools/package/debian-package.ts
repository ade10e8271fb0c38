import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** Runs a program of the system. @throws Error with what it printed */
export const run = (file: string, args: readonly string[], cwd = '/'): void => {
  const { status, error, stderr } = spawnSync(file, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} failed: ${error?.message ?? stderr.trim()}`);
};

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => lstatSync(path.join(folder, name)).isFile())
    .sort();

/** Modes that do not depend on the umask or the checkout. */
const normalizeModes = (folder: string): void => {
  chmodSync(folder, 0o755);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const place = path.join(folder, name);
    const found = lstatSync(place);
    if (found.isSymbolicLink()) continue;
    chmodSync(place, found.isDirectory() || (found.mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
};

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

export interface DebianPackage {
  readonly root: string;
  /** Folder in which the package is laid out; contains usr/lib/dentarium already. */
  readonly layout: string;
  readonly output: string;
  readonly version: string;
}

/** Writes the Debian package. Returns its path. */
export const writeDebianPackage = ({ root, layout, output, version }: DebianPackage): string => {
  const deploy = path.join(root, 'deploy/debian');
  const put = (name: string, target: string) => {
    mkdirSync(path.dirname(path.join(layout, target)), { recursive: true });
    cpSync(path.join(deploy, name), path.join(layout, target));
  };
  const architecture = architectures[process.arch] ?? process.arch;
  for (const unit of ['dentarium.service', 'dentarium-dicom.service']) put(unit, `usr/lib/systemd/system/${unit}`);
  put('dentarium.conf', 'etc/dentarium/dentarium.conf');
  put('copyright', 'usr/share/doc/dentarium/copyright');
  for (const name of ['README.md', 'CHANGELOG.md', 'docs', 'deploy'])
    symlinkSync(path.join('../../../lib/dentarium', name), path.join(layout, 'usr/share/doc/dentarium', name));
  mkdirSync(path.join(layout, 'usr/bin'), { recursive: true });
  symlinkSync('../lib/dentarium/bin/dentarium', path.join(layout, 'usr/bin/dentarium'));
  normalizeModes(layout);

  const files = filesBelow(layout);
  const sum = (name: string) =>
    createHash('md5')
      .update(readFileSync(path.join(layout, name)))
      .digest('hex');
  const sums = files.map((name) => `${sum(name)}  ${name}\n`).join('');
  const kilobytes = files.reduce((all, name) => all + Math.ceil(lstatSync(path.join(layout, name)).size / 1024), 0);
  mkdirSync(path.join(layout, 'DEBIAN'));
  for (const name of ['conffiles', 'preinst', 'postinst', 'prerm', 'postrm']) put(name, `DEBIAN/${name}`);
  for (const name of ['preinst', 'postinst', 'prerm', 'postrm']) chmodSync(path.join(layout, 'DEBIAN', name), 0o755);
  writeFileSync(path.join(layout, 'DEBIAN/md5sums'), sums);
  const control = readFileSync(path.join(deploy, 'control'), 'utf8')
    .replace('@VERSION@', version)
    .replace('@ARCHITECTURE@', architecture)
    .replace('@INSTALLED_SIZE@', String(kilobytes));
  writeFileSync(path.join(layout, 'DEBIAN/control'), control);
  for (const name of ['DEBIAN/control', 'DEBIAN/conffiles', 'DEBIAN/md5sums'])
    chmodSync(path.join(layout, name), 0o644);
  const target = path.join(output, `dentarium_${version}_${architecture}.deb`);
  run('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z9', '--build', layout, target]);
  return target;
};
