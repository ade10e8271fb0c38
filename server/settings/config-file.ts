import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { StartupError } from '../startup-error.ts';
import { nearestName } from './nearest-name.ts';
import type { Settings } from './setting.ts';

export const configFileVariables = {
  config: {
    variable: 'DENTARIUM_CONFIG',
    flag: 'config',
    schema: z.string().optional(),
    description: 'path of the configuration file; cannot be set in the file itself',
  },
} satisfies Settings;

export interface ConfigFile {
  readonly values: ReadonlyMap<string, string>;
  /** Every user of the machine can read it. */
  readonly isPublic: boolean;
}

const linePattern = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/;
const quoted = /^(["'`])(?:(?!\1).)*\1\s*(?:#.*)?$/;
/** `#` begins a comment only after a blank. */
const unquoted = /^(?:#.*|[^"'`#](?:[^#]|(?<=\s)#.*$)*)?$/;

const isBlank = (line: string): boolean => /^\s*(#.*)?$/.test(line);

const textOf = (file: string): { text: string; mode: number } => {
  try {
    return { text: readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), mode: statSync(file).mode };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new StartupError(`Configuration file ${file}: cannot be read (${code})`);
  }
};

/** Returns what `util.parseEnv` would misread without an error, or null: it drops what follows a quote or `#`. */
const problemOf = (value: string): string | null => {
  if (quoted.test(value) || unquoted.test(value)) return null;
  return /^["'`]/.test(value) ? 'the quotes do not enclose the whole value' : 'a value with # must be in quotes';
};

/**
 * Reads lines `NAME=value`; `#` begins a comment.
 * @throws StartupError with file, line and name, never a value
 */
export const readConfigFile = (file: string, known: readonly string[]): ConfigFile => {
  const { text, mode } = textOf(file);
  const values = new Map<string, string>();
  const lineOf = new Map<string, number>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (isBlank(line)) continue;
    const failed = (problem: string) => new StartupError(`Configuration file ${file}, line ${index + 1}: ${problem}`);
    const [, name, value = ''] = linePattern.exec(line) ?? [];
    if (name === undefined) throw failed('not a setting, which is written NAME=value');
    if (name === configFileVariables.config.variable) throw failed(`${name} cannot be set in the file itself`);
    if (!known.includes(name))
      throw failed(`there is no setting ${name}; the most similar name is ${nearestName(name, known)}`);
    const first = lineOf.get(name);
    if (first !== undefined) throw failed(`${name} is set a second time, after line ${first}`);
    const problem = problemOf(value);
    if (problem) throw failed(`${name}: ${problem}`);
    lineOf.set(name, index + 1);
    values.set(name, parseEnv(line)[name] ?? '');
  }
  return { values, isPublic: (mode & 0o007) !== 0 };
};
