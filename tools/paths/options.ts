import { parseArgs } from 'node:util';
import { type Cover, covers } from './goals.ts';
import { UsageError } from './usage-error.ts';

export const formats = ['markdown', 'json', 'csv', 'gherkin'] as const;
export type Format = (typeof formats)[number];

export interface Options {
  /** null: every machine. */
  readonly machine: string | null;
  readonly cover: Cover;
  readonly walks: number;
  readonly seed: number;
  readonly format: Format;
  readonly out: string | null;
  readonly since: string | null;
}

const known = ['machine', 'cover', 'walks', 'seed', 'format', 'out', 'since'] as const;
const maxWalks = 10_000;

export const helpText = (machines: readonly string[]): string => `Generates test paths from the state machines.

  npm run paths -- [options]

  --machine NAME   one machine; default: all
                   ${machines.join(', ')}
  --cover WHAT     ${covers.join(', ')}; default transitions
  --walks N        adds N random walks for each machine; default 0
  --seed N         seed of the random walks; default 1
  --format NAME    ${formats.join(', ')}; default markdown
  --out FOLDER     writes one file for each machine; default: print
  --since REV      paths added, removed or changed since a git revision (markdown, json, csv)
  --help

The number of a path is computed from its steps and stays the same as long as they do.
`;

const oneOf = <One extends string>(option: string, value: string, all: readonly One[]): One => {
  const found = all.find((one) => one === value);
  if (found === undefined) throw new UsageError(`--${option} ${value} is unknown. Choose one of: ${all.join(', ')}.`);
  return found;
};

const wholeNumber = (option: string, value: string, max: number): number => {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(number <= max)) throw new UsageError(`--${option} ${value} must be a whole number from 0 to ${max}.`);
  return number;
};

/** Parses the arguments; null for help. Throws a `UsageError` that names the wrong argument. */
export const optionsOf = (args: readonly string[], machines: readonly string[]): Options | null => {
  const { tokens } = parseArgs({ args: [...args], strict: false, tokens: true, allowPositionals: true });
  const given: Partial<Record<(typeof known)[number], string>> = {};
  const list = () => known.map((name) => `--${name}`).join(', ');
  let expected: (typeof known)[number] | null = null;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      if (!expected) throw new UsageError(`"${token.value}" belongs to no option. Options: ${list()}.`);
      given[expected] = token.value;
      expected = null;
      continue;
    }
    if (token.name === 'help' || token.name === 'h') return null;
    const name = known.find((one) => one === token.name);
    if (!name) throw new UsageError(`There is no option ${token.rawName}. Options: ${list()}, --help.`);
    if (expected) throw new UsageError(`--${expected} needs a value.`);
    if (token.value === undefined) expected = name;
    else given[name] = token.value;
  }
  if (expected) throw new UsageError(`--${expected} needs a value.`);
  const { machine, cover = 'transitions', walks = '0', seed = '1', format = 'markdown', out, since } = given;
  const options = {
    machine: machine === undefined ? null : oneOf('machine', machine, machines),
    cover: oneOf('cover', cover, covers),
    walks: wholeNumber('walks', walks, maxWalks),
    seed: wholeNumber('seed', seed, 2 ** 32 - 1),
    format: oneOf('format', format, formats),
    out: out ?? null,
    since: since ?? null,
  };
  if (options.since !== null && options.format === 'gherkin')
    throw new UsageError('--since supports markdown, json and csv: Gherkin cannot describe removed paths.');
  return options;
};
