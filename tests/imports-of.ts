import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface Import {
  /** Path from the repository's root, with forward slashes. */
  readonly from: string;
  /** A path from the root for our own files, the package's name otherwise. */
  readonly to: string;
  readonly own: boolean;
}

const pattern =
  /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g;

const withoutComments = (source: string) => source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

const packageName = (specifier: string) =>
  specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : (specifier.split('/')[0] ?? specifier);

/** Every TypeScript file below a folder, as paths from the root. */
export const filesBelow = (root: string, folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')));

/** What a file imports, statically or dynamically, types included. */
export const importsOf = (root: string, file: string): Import[] => {
  const source = withoutComments(readFileSync(path.join(root, file), 'utf8'));
  return [...source.matchAll(pattern)].map((match) => {
    const specifier = (match[1] ?? match[2] ?? match[3] ?? '').replace(/\?.*$/, '');
    const own = specifier.startsWith('.');
    return { from: file, to: own ? path.posix.join(path.posix.dirname(file), specifier) : packageName(specifier), own };
  });
};
