import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDependencies, filesBelow } from './dependencies.mjs';
import { quietly, root } from './processes.mjs';
import { endWith, Plain, step } from './terminal.mjs';

const stamp = path.join(root, 'dist', '.built-from');

const single = [
  'index.html',
  'vite.config.ts',
  'vite-first-visit.ts',
  'vite-licences.ts',
  'vite-text-packs.ts',
  'vite-web-app.ts',
  'vite-text-packs.ts',
  'tsconfig.json',
  'package-lock.json',
];
const folders = ['src', 'contract', 'dicom', 'locales'];

const sources = () => {
  const hash = createHash('sha256');
  const files = single.map((name) => path.join(root, name));
  for (const file of [...files, ...filesBelow(folders)])
    hash.update(path.relative(root, file)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
};

/** Builds the web application when its sources have changed since the last build. */
export const ensureBuild = async (node) => {
  const now = sources();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return;
  await step('Building the web application', () =>
    quietly(node, [path.join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn']),
  ).catch((error) => {
    throw new Plain(`The web application could not be built. ${error.message}`);
  });
  writeFileSync(stamp, now);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureDependencies().then(ensureBuild).catch(endWith);
