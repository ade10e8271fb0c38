import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { quietly, root } from './processes.mjs';
import { Plain, step } from './terminal.mjs';

const stamp = path.join(root, 'node_modules', '.dentarium-installed');
const lock = path.join(root, 'package-lock.json');

const currentStamp = () =>
  `${createHash('sha256').update(readFileSync(lock)).digest('hex')} ${process.platform}-${process.arch}`;

const installed = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === currentStamp();

/** Runs npm: the one that started this program, else the one on the path. */
const npm = (args) => {
  const own = process.env.npm_execpath;
  return own?.endsWith('.js') || own?.endsWith('.cjs')
    ? quietly(process.execPath, [own, ...args])
    : quietly('npm', args);
};

const pinnedVersion = () => JSON.parse(readFileSync(lock, 'utf8')).packages['node_modules/node'].version;

/** Where the npm package `node`, or the platform's package behind it, puts the program. */
const pinnedNodePlaces = () => {
  const modules = path.join(root, 'node_modules');
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const program = path.join('bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return [
    path.join(modules, 'node', program),
    ...['node', 'node-bin'].map((name) => path.join(modules, `${name}-${platform}`, program)),
  ];
};

const runs = async (program) =>
  existsSync(program) && (await quietly(program, ['--version']).catch(() => '')).trim() === `v${pinnedVersion()}`;

const findPinnedNode = async () => {
  for (const place of pinnedNodePlaces()) if (await runs(place)) return place;
  return null;
};

/** The pinned Node; fetched by name where npm did not run the package's own install script. */
const pinnedNode = async () => {
  const found = await findPinnedNode();
  if (found) return found;
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const name = `${prefix}-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  await npm(['install', '--no-save', '--no-package-lock', `${name}@${pinnedVersion()}`]);
  const fetched = await findPinnedNode();
  if (!fetched)
    throw new Plain(`The pinned Node ${pinnedVersion()} cannot be had for ${process.platform}-${process.arch}.`);
  return fetched;
};

/**
 * Installs what the lock file names, once, and again whenever the lock file changes.
 * @returns {Promise<string>} path of the pinned Node
 */
export const ensureDependencies = async () => {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) throw new Plain(`Dentarium needs Node 20 or later to set itself up; this is ${process.version}.`);
  if (!installed()) {
    await step('Installing packages (only the first time)', () =>
      npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']),
    ).catch((error) => {
      throw new Plain(`The packages could not be installed. ${error.message}`);
    });
  }
  const node = await pinnedNode();
  writeFileSync(stamp, currentStamp());
  return node;
};

/** Every file below the folders, in a stable order. */
export const filesBelow = (folders) =>
  folders.flatMap((folder) => {
    const place = path.join(root, folder);
    if (!existsSync(place)) return [];
    return readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
      .sort();
  });
