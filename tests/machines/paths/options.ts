import { parseArgs } from 'node:util';
import { defaultLanguage, type Language, languages } from '../../../src/views/language/languages.ts';
import { Complaint } from './complaint.ts';
import { type Cover, covers } from './goals.ts';

export const formats = ['markdown', 'json', 'csv', 'gherkin'] as const;
export type Format = (typeof formats)[number];

export interface Options {
  /** null: every machine. */
  readonly machine: string | null;
  readonly cover: Cover;
  readonly walks: number;
  readonly seed: number;
  readonly format: Format;
  readonly language: Language;
  readonly out: string | null;
  readonly since: string | null;
}

const known = ['machine', 'cover', 'walks', 'seed', 'format', 'lang', 'out', 'since'] as const;
const mostWalks = 10_000;

export const helpText = (machines: readonly string[]): string => `Test paths from the machines of the program.

  npm run paths -- [options]

  --machine NAME   one machine; all of them when it is left out
                   ${machines.join(', ')}
  --cover WHAT     ${covers.join(', ')}; default transitions
  --walks N        besides, so many walks at random for each machine; default 0
  --seed N         the same seed walks the same ways; default 1
  --format NAME    ${formats.join(', ')}; default markdown
  --lang NAME      ${languages.join(', ')}; default ${defaultLanguage}
  --out FOLDER     a file for each machine; without it, everything is printed
  --since REV      only which paths came, went or changed since a revision of git (markdown, json, csv)
  --help

The number of a path is made from its steps: it stays as long as they do, whatever else comes or goes.
`;

const oneOf = <One extends string>(option: string, value: string, all: readonly One[]): One => {
  const found = all.find((one) => one === value);
  if (found === undefined)
    throw new Complaint(`--${option} ${value}: there is no such one. There is: ${all.join(', ')}.`);
  return found;
};

const wholeNumber = (option: string, value: string, most: number): number => {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(number <= most)) throw new Complaint(`--${option} ${value}: a whole number from 0 to ${most} is wanted.`);
  return number;
};

/** What is asked for; null: help. Whatever cannot be meant is refused by name. */
export const optionsOf = (args: readonly string[], machines: readonly string[]): Options | null => {
  const { tokens } = parseArgs({ args: [...args], strict: false, tokens: true, allowPositionals: true });
  const given: Partial<Record<(typeof known)[number], string>> = {};
  const list = () => known.map((name) => `--${name}`).join(', ');
  let expected: (typeof known)[number] | null = null;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      if (!expected) throw new Complaint(`"${token.value}" belongs to no option. There is: ${list()}.`);
      given[expected] = token.value;
      expected = null;
      continue;
    }
    if (token.name === 'help' || token.name === 'h') return null;
    const name = known.find((one) => one === token.name);
    if (!name) throw new Complaint(`There is no option ${token.rawName}. There is: ${list()}, --help.`);
    if (expected) throw new Complaint(`--${expected} wants a value.`);
    if (token.value === undefined) expected = name;
    else given[name] = token.value;
  }
  if (expected) throw new Complaint(`--${expected} wants a value.`);
  const { machine, cover = 'transitions', walks = '0', seed = '1', format = 'markdown', lang, out, since } = given;
  const options = {
    machine: machine === undefined ? null : oneOf('machine', machine, machines),
    cover: oneOf('cover', cover, covers),
    walks: wholeNumber('walks', walks, mostWalks),
    seed: wholeNumber('seed', seed, 2 ** 32 - 1),
    format: oneOf('format', format, formats),
    language: oneOf('lang', lang ?? defaultLanguage, languages),
    ...{ out: out ?? null, since: since ?? null },
  };
  if (options.since !== null && options.format === 'gherkin')
    throw new Complaint('--since is told as markdown, json or csv: Gherkin has no words for what went.');
  return options;
};
