import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AnyStateMachine, createMachine } from 'xstate';
import { type Modelled, machines } from './models/index.ts';
import { Complaint } from './paths/complaint.ts';
import { optionsOf } from './paths/options.ts';
import { type Changes, changesAsCsv, changesAsMarkdown, changesSince } from './paths/since.ts';
import { wordsOf } from './paths/words.ts';
import { testPathsOf } from './paths/written.ts';

const words = wordsOf('en');
const wish = { cover: 'transitions', walks: 3, seed: 1 } as const;
const root = path.join(import.meta.dirname, '../..');

const connection = machines.find(({ id }) => id === 'connection');
if (!connection) throw new Error('The connection is gone');

type Config = Record<string, unknown> & { readonly states: Record<string, Config> };

/** The connection as it would be after a change of its chart. */
const changed = (change: (config: Config) => Config): Modelled => {
  const { config, implementations } = connection.machine;
  const machine = createMachine(change(config as unknown as Config) as never, implementations as never);
  const changedMachine = machine as unknown as AnyStateMachine;
  return {
    ...connection,
    machine: changedMachine,
    models: connection.models.map((model) => ({ ...model, machine: changedMachine })),
  };
};

const withState = (name: string, more: object) => (config: Config) =>
  ({ ...config, states: { ...config.states, [name]: { ...config.states[name], ...more } } }) as Config;

const compared = (before: Modelled, now: Modelled): Changes =>
  changesSince('main', testPathsOf([before], wish, words), testPathsOf([now], wish, words), words);

describe('what changed since', () => {
  it('is nothing when nothing did, walks at random left out', () => {
    const changes = compared(connection, connection);
    expect(changes.changes).toEqual([]);
    expect(changes.same).toBeGreaterThan(3);
  });

  const patient = changed(withState('closed', { on: {} }));

  const lost = 'Somebody wants to connect now (in the state: No line; another try in a moment)';
  const goals = ({ goals }: Changes) => goals.map(({ kind, text }) => [kind, text]);

  it('names what is no longer heard, and what is new', () => {
    expect(goals(compared(connection, patient))).toEqual([['went', lost]]);
    expect(goals(compared(patient, connection))).toEqual([['came', lost]]);
  });

  it('says where a goal is reached whose path went', () => {
    // What was reached by waiting alone is now a part of the path that used to begin with the person's wish.
    const [other, ...none] = compared(connection, patient).changes.filter(({ kind }) => kind !== 'went');
    expect([other?.kind, other?.why, none]).toEqual(['changed', ['otherSteps'], []]);
    const went = compared(connection, patient).changes.filter(({ kind }) => kind === 'went');
    expect(went.map(({ elsewhere }) => elsewhere)).toEqual([other?.number]);
    const [came] = compared(patient, connection).changes.filter(({ kind }) => kind === 'came');
    expect([came?.number, came?.elsewhere]).toEqual([went[0]?.number, other?.number]);
  });

  it('tells another expectation with the same steps from other steps', () => {
    const forgetful = changed((config) => ({ ...config, context: { interrupted: true } }));
    const changes = compared(connection, forgetful);
    expect(changes.changes.length).toBeGreaterThan(0);
    for (const { kind, why, number, was } of changes.changes.filter(({ kind }) => kind === 'changed')) {
      expect([kind, why.includes('otherExpectation')]).toEqual(['changed', true]);
      expect(number === was).toBe(!why.includes('otherSteps'));
    }
    expect(changes.changes.some(({ why }) => why.join() === 'otherExpectation')).toBe(true);
  });

  it('is read by people and by programs', () => {
    const changes = compared(connection, patient);
    const text = changesAsMarkdown(changes, words);
    expect(text).toContain('## New paths: 0');
    expect(text).toMatch(/## Goals that went: 1\n\n- connection: Somebody wants to connect now/);
    expect(text).toMatch(/## Paths that went: 1\n\n- CONN-\w{7} Time passes.*the goal is now reached in CONN-\w{7}/);
    expect(changesAsCsv(changes, words).trim().split('\r\n')).toHaveLength(4);
  });
});

const ids = machines.map(({ id }) => id);

describe('the options', () => {
  it('are as they are told', () => {
    expect(optionsOf([], ids)).toEqual({
      ...{ machine: null, cover: 'transitions', walks: 0, seed: 1, format: 'markdown', language: 'sv' },
      ...{ out: null, since: null },
    });
    const args = '--machine import-study --cover pairs --walks 50 --seed=7 --format gherkin --lang no --out here';
    expect(optionsOf(args.split(' '), ids)).toEqual({
      ...{ machine: 'import-study', cover: 'pairs', walks: 50, seed: 7, format: 'gherkin', language: 'no' },
      ...{ out: 'here', since: null },
    });
    expect(optionsOf(['--walks', '3', '--help'], ids)).toBeNull();
  });

  it.each([
    ['--machine nobody', /--machine nobody: .* connection, .*viewset/],
    ['--cover half', /states, transitions, pairs/],
    ['--format pdf', /markdown, json, csv, gherkin/],
    ['--lang fi', /sv, en, da, no/],
    ['--walks many', /0 to 10000/],
    ['--seed -1', /--seed/],
    ['--sed 7', /no option --sed.*--seed/],
    ['--out', /--out wants a value/],
    ['--machine --cover states', /--machine wants a value/],
    ['session', /"session" belongs to no option/],
    ['--since HEAD --format gherkin', /markdown, json or csv/],
  ])('refuse %s by name', (args, message) => {
    expect(() => optionsOf(args.split(' '), ids)).toThrow(Complaint);
    expect(() => optionsOf(args.split(' '), ids)).toThrow(message);
  });
});

const run = (...args: readonly string[]) =>
  execFileSync(process.execPath, ['tests/machines/paths/main.ts', ...args], {
    ...{ cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  }) as string;

const isRepository = (() => {
  try {
    run('--help');
    execFileSync('git', ['rev-parse', '--verify', 'HEAD'], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('the command', () => {
  it('prints the same twice', () => {
    const args = ['--machine', 'connection', '--walks', '5', '--seed', '7', '--format', 'json', '--lang', 'da'];
    expect(run(...args)).toBe(run(...args));
  });

  it.runIf(isRepository)('asks an earlier revision for its own paths', { timeout: 120_000 }, () => {
    const changes: Changes = JSON.parse(run('--since', 'HEAD', '--machine', 'connection', '--format', 'json'));
    expect(changes.since).toBe('HEAD');
    expect(changes.same + changes.changes.length).toBeGreaterThan(3);
    expect(() => run('--since', 'nowhere', '--machine', 'connection')).toThrow(/knows no revision "nowhere"/);
  });
});
