import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const packageIn = (folder: string): PackageFile => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** Where Node finds a package from a folder: there, or beside one of the folders above. Null: not installed on this machine. */
export const folderOf = (name: string, from: string): string | null => {
  const folder = path.join(from, 'node_modules', name);
  if (existsSync(path.join(folder, 'package.json'))) return folder;
  const above = path.dirname(from);
  return above === from ? null : folderOf(name, above);
};

const licenceFile = /^(licen[cs]e|copying|unlicense)([.-].*)?$/i;

const textIn = (folder: string): string | null => {
  const name = readdirSync(folder).find((file) => licenceFile.test(file));
  return name ? readFileSync(path.join(folder, name), 'utf8').trim() : null;
};

/** All packages that the product is made of, in the browser and on the server, each with its licence; a text is there once. */
export const licencesOf = (root: string) => {
  const found = new Map<string, { name: string; version: string; licence: string; text: number | null }>();
  const texts: string[] = [];
  const visit = (folder: string): void => {
    const { dependencies, optionalDependencies } = packageIn(folder);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = folderOf(name, folder);
      if (!next) continue;
      const { version, license } = packageIn(next);
      const key = `${name}@${version}`;
      if (found.has(key)) continue;
      const text = textIn(next);
      if (text !== null && !texts.includes(text)) texts.push(text);
      const licence = (typeof license === 'string' ? license : license?.type) ?? '';
      found.set(key, { name, version, licence, text: text === null ? null : texts.indexOf(text) });
      visit(next);
    }
  };
  visit(root);
  const packages = [...found.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
  return { packages, texts };
};

/** Puts `licences.json` beside the page. */
export const licences = (root: string): Plugin => ({
  name: 'dentarium:licences',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'licences.json', source: JSON.stringify(licencesOf(root)) });
  },
});
