import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AnyStateMachine, createMachine } from 'xstate';
import { optionsOf } from '../../tools/paths/options.ts';
import { testPathsOf } from '../../tools/paths/path-documents.ts';
import { type Changes, changesAsCsv, changesAsMarkdown, changesSince } from '../../tools/paths/since.ts';
import { UsageError } from '../../tools/paths/usage-error.ts';
import { type Modelled, machines } from './models/index.ts';

const options = { cover: 'transitions', walks: 3, seed: 1 } as const;
const root = path.join(import.meta.dirname, '../..');

const connection = machines.find(({ id }) => id === 'connection');
if (!connection) throw new Error('No machine "connection"');

type Config = Record<string, unknown> & { readonly states: Record<string, Config> };

/** Returns the connection machine with a changed chart. */
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
  changesSince('main', testPathsOf([before], options), testPathsOf([now], options));

describe('changes since a revision', () => {
  it('are none for equal machines; random walks are left out', () => {
    const changes = compared(connection, connection);
    expect(changes.changes).toEqual([]);
    expect(changes.same).toBeGreaterThan(3);
  });

  const withoutRetry = changed(withState('closed', { on: {} }));

  const lost = 'A connection attempt is requested (in the state: Not connected: waiting to retry)';
  const goals = ({ goals }: Changes) => goals.map(({ kind, text }) => [kind, text]);

  it('list removed and added goals', () => {
    expect(goals(compared(connection, withoutRetry))).toEqual([['removed', lost]]);
    expect(goals(compared(withoutRetry, connection))).toEqual([['added', lost]]);
  });

  it('name the path that now reaches the goal of a removed path', () => {
    // The transition that was reached by waiting is now part of the path that began with the request.
    const [other, ...none] = compared(connection, withoutRetry).changes.filter(({ kind }) => kind !== 'removed');
    expect([other?.kind, other?.why, none]).toEqual(['changed', ['different steps'], []]);
    const removed = compared(connection, withoutRetry).changes.filter(({ kind }) => kind === 'removed');
    expect(removed.map(({ elsewhere }) => elsewhere)).toEqual([other?.number]);
    const [added] = compared(withoutRetry, connection).changes.filter(({ kind }) => kind === 'added');
    expect([added?.number, added?.elsewhere]).toEqual([removed[0]?.number, other?.number]);
  });

  it('distinguish a different expectation from different steps', () => {
    const interrupted = changed((config) => ({ ...config, context: { interrupted: true } }));
    const changes = compared(connection, interrupted);
    expect(changes.changes.length).toBeGreaterThan(0);
    for (const { kind, why, number, was } of changes.changes.filter(({ kind }) => kind === 'changed')) {
      expect([kind, why.includes('different expectation')]).toEqual(['changed', true]);
      expect(number === was).toBe(!why.includes('different steps'));
    }
    expect(changes.changes.some(({ why }) => why.join() === 'different expectation')).toBe(true);
  });

  it('are written as Markdown and CSV', () => {
    const changes = compared(connection, withoutRetry);
    const text = changesAsMarkdown(changes);
    expect(text).toContain('## New paths: 0');
    expect(text).toMatch(/## Removed goals: 1\n\n- connection: A connection attempt is requested/);
    expect(text).toMatch(/## Removed paths: 1\n\n- CONN-\w{7} Time passes.*the goal is now reached in CONN-\w{7}/);
    expect(changesAsCsv(changes).trim().split('\r\n')).toHaveLength(4);
  });
});

const ids = machines.map(({ id }) => id);

describe('the options', () => {
  it('have defaults, and are parsed', () => {
    expect(optionsOf([], ids)).toEqual({
      machine: null,
      cover: 'transitions',
      walks: 0,
      seed: 1,
      format: 'markdown',
      out: null,
      since: null,
    });
    const args = '--machine import-study --cover pairs --walks 50 --seed=7 --format gherkin --out here';
    expect(optionsOf(args.split(' '), ids)).toEqual({
      machine: 'import-study',
      cover: 'pairs',
      walks: 50,
      seed: 7,
      format: 'gherkin',
      out: 'here',
      since: null,
    });
    expect(optionsOf(['--walks', '3', '--help'], ids)).toBeNull();
  });

  it.each([
    ['--machine nobody', /--machine nobody .* connection, .*viewset/],
    ['--cover half', /states, transitions, pairs/],
    ['--format pdf', /markdown, json, csv, gherkin/],
    ['--walks many', /0 to 10000/],
    ['--seed -1', /--seed/],
    ['--sed 7', /no option --sed.*--seed/],
    ['--out', /--out needs a value/],
    ['--machine --cover states', /--machine needs a value/],
    ['session', /"session" belongs to no option/],
    ['--since HEAD --format gherkin', /markdown, json and csv/],
  ])('reject %s with a message', (args, message) => {
    expect(() => optionsOf(args.split(' '), ids)).toThrow(UsageError);
    expect(() => optionsOf(args.split(' '), ids)).toThrow(message);
  });
});

const run = (...args: readonly string[]) =>
  execFileSync(process.execPath, ['tools/paths/main.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
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
    const args = ['--machine', 'connection', '--walks', '5', '--seed', '7', '--format', 'json'];
    expect(run(...args)).toBe(run(...args));
  });

  it.runIf(isRepository)('compares with the paths of an earlier revision', { timeout: 120_000 }, () => {
    const changes: Changes = JSON.parse(run('--since', 'HEAD', '--machine', 'connection', '--format', 'json'));
    expect(changes.since).toBe('HEAD');
    expect(changes.same + changes.changes.length).toBeGreaterThan(3);
    expect(() => run('--since', 'nowhere', '--machine', 'connection')).toThrow(/finds no revision "nowhere"/);
  });
});
