import { expect, it } from 'vitest';
import { createActor, createMachine } from 'xstate';
import type { Exception } from '../cover/exceptions.ts';
import { observeActors } from '../cover/observe.ts';
import { possiblePairs } from '../cover/possible-pairs.ts';
import type { Kind, WalkedFile } from '../cover/record.ts';
import { chartOf, faultsOf, lineOf, tableOf } from '../cover/report.ts';
import { transitionsOf } from '../paths.ts';

/** A letter: written, sealed, opened again, sent. */
const letter = createMachine({
  id: 'letter',
  initial: 'arriving',
  states: {
    arriving: { always: 'written' },
    written: { on: { sealed: 'closed', read: { actions: () => {} } } },
    closed: { on: { opened: 'written', sent: 'gone' } },
    gone: { type: 'final' },
  },
});

const [begun, sealed, read, opened, sent] = [
  'letter.arriving | always | 0',
  'letter.written | sealed | 0',
  'letter.written | read | 0',
  'letter.closed | opened | 0',
  'letter.closed | sent | 0',
] as const;

const fileOf = (kind: Kind, transitions: readonly string[]): WalkedFile => ({
  ...{ file: `${kind}.test.ts`, kind },
  machines: { letter: { states: chartOf(letter).states, transitions, pairs: [] } },
});

it('takes down what live actors do, from their first step, and nothing of those that never start', () => {
  const records = observeActors('rules');
  const watched = letter.provide({});
  createActor(watched);
  expect(records.get('rules')?.walked()).toEqual({});
  const actor = createActor(watched).start();
  for (const type of ['sealed', 'nothing', 'opened', 'sealed', 'sent']) actor.send({ type });
  const { letter: walked } = records.get('rules')?.walked() ?? {};
  expect(walked?.transitions).toEqual([begun, opened, sealed, sent].sort());
  expect(walked?.states).toEqual(
    ['letter', 'letter.arriving', 'letter.closed', 'letter.gone', 'letter.written'].sort(),
  );
  expect(walked?.pairs).toEqual(
    [`${begun} -> ${sealed}`, `${sealed} -> ${opened}`, `${opened} -> ${sealed}`, `${sealed} -> ${sent}`].sort(),
  );
});

it('knows which two transitions the chart allows in a row', () => {
  expect([...possiblePairs(letter)].sort()).toEqual(
    [
      ...[`${begun} -> ${sealed}`, `${begun} -> ${read}`, `${read} -> ${read}`, `${read} -> ${sealed}`],
      ...[`${sealed} -> ${opened}`, `${sealed} -> ${sent}`, `${opened} -> ${sealed}`, `${opened} -> ${read}`],
    ].sort(),
  );
});

it('counts other regions too, and no step that must come first in vain', () => {
  const both = createMachine({
    id: 'both',
    type: 'parallel',
    states: {
      one: { initial: 'a', states: { a: { on: { go: 'b' } }, b: {} } },
      other: { initial: 'c', states: { c: { on: { run: 'd' } }, d: { always: 'c' } } },
    },
  });
  const [go, run, back] = ['both.one.a | go | 0', 'both.other.c | run | 0', 'both.other.d | always | 0'];
  expect([...possiblePairs(both)].sort()).toEqual(
    [`${go} -> ${run}`, `${run} -> ${back}`, `${back} -> ${go}`, `${back} -> ${run}`, `${go} -> ${back}`].sort(),
  );
});

it('fails for what generated paths leave out, whoever else walks it', () => {
  const chart = chartOf(letter);
  const files = [fileOf('paths', [begun, sealed, opened, sent]), fileOf('rules', [read]), fileOf('views', ['unknown'])];
  const line = lineOf(files, chart, 'paths');
  expect(line.counts.transitions).toEqual({ of: 5, paths: 4, rules: 1, views: 0, journeys: 0, any: 5 });
  expect(faultsOf([line], [])).toEqual([`letter: the transition "${read}" is never taken`]);
  const exception: Exception = { machine: 'letter', transition: read, reason: 'nobody reads letters of others' };
  expect(faultsOf([line], [exception])).toEqual([]);
  const idle = { ...exception, transition: sealed };
  expect(faultsOf([line], [exception, idle])).toEqual([
    `letter: "${sealed}" is excepted, and yet it is taken or not there`,
  ]);
  expect(faultsOf([lineOf([], chart, 'paths')], []).length).toBe(transitionsOf(letter).length + chart.states.length);
  expect(tableOf([line], 'transitions')).toContain('letter        5      4      1      0         0    5  100 %');
});
