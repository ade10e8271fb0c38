import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { allSettings } from '../server/all-settings.ts';
import { internalVariables, isInternalVariable } from '../server/settings/internal-variables.ts';

const root = path.dirname(import.meta.dirname);

const codeBelow = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
    .map((name) => path.posix.join(folder, name));

const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const known = (name: string): boolean =>
  allSettings.some(({ variable }) => variable === name) || isInternalVariable(name);

/** Names of variables in a text: what it reads of the environment, what it declares, and any name with the prefix of the product. */
const namesIn = (text: string): string[] =>
  [
    ...text.matchAll(/\bprocess\.env\??\.(\w+)/g),
    ...text.matchAll(/\benvironment\??\.([A-Z]\w+)/g),
    ...text.matchAll(/\bvariable: '(\w+)'/g),
    ...text.matchAll(/\b(DENTARIUM_\w+)/g),
  ].map(([, name = '']) => name);

/** Reads that hide the name of the variable. */
const hidden = /\bprocess\.env\??\.?\[|\}\s*=\s*process\.env\b|import[^;]*\benv\b[^;]*from 'node:process'/;

const unknownIn = (folders: readonly string[]): string[] =>
  folders
    .flatMap(codeBelow)
    .flatMap((file) => namesIn(textOf(file)).flatMap((name) => (known(name) ? [] : [`${file}: ${name}`])));

describe('environment variables', () => {
  it('of server and scripts are settings, or listed as internal', () => {
    expect(unknownIn(['server', 'scripts'])).toEqual([]);
  });

  it('of tests, benchmarks and tools are settings, or listed as internal', () => {
    const files = ['bench', 'e2e', 'stand-ins', 'tests', 'tools'].flatMap(codeBelow);
    const unknown = files.flatMap((file) =>
      [...textOf(file).matchAll(/\bprocess\.env\.(DENTARIUM_\w+)/g)].filter(([, name = '']) => !known(name)),
    );
    expect(unknown.map(([text]) => text)).toEqual([]);
  });

  it('are read by name, and in the server only where settings are loaded', () => {
    const files = ['server', 'scripts'].flatMap(codeBelow);
    expect(files.filter((file) => hidden.test(textOf(file)))).toEqual([]);
    const whole = codeBelow('server').filter((file) => /\bprocess\.env\b(?!\??\.)/.test(textOf(file)));
    expect(whole).toEqual(['server/load-settings.ts']);
  });

  it('that are internal are used', () => {
    const all = ['bench', 'dicom', 'e2e', 'scripts', 'server', 'tests', 'tools'].flatMap(codeBelow);
    const texts = [...all, 'vite.config.ts', 'playwright.config.ts']
      .filter((file) => !file.endsWith('internal-variables.ts'))
      .map(textOf);
    expect(internalVariables.filter((name) => !texts.some((text) => text.includes(`process.env.${name}`)))).toEqual([]);
  });
});
