import { expect, it } from 'vitest';
import { createActor, createMachine } from 'xstate';
import type { Exception } from '../../tools/coverage/exceptions.ts';
import { observeActors } from '../../tools/coverage/observe.ts';
import { possiblePairs } from '../../tools/coverage/possible-pairs.ts';
import type { Kind, WalkedFile } from '../../tools/coverage/record.ts';
import { chartOf, errorsOf, lineOf, tableOf } from '../../tools/coverage/report.ts';
import { transitionsOf } from '../paths.ts';

/** An order: open, paid, reopened, delivered. */
const order = createMachine({
  id: 'order',
  initial: 'starting',
  states: {
    starting: { always: 'open' },
    open: { on: { paid: 'closed', viewed: { actions: () => {} } } },
    closed: { on: { reopened: 'open', delivered: 'done' } },
    done: { type: 'final' },
  },
});

const [started, paid, viewed, reopened, delivered] = [
  'order.starting | always | 0',
  'order.open | paid | 0',
  'order.open | viewed | 0',
  'order.closed | reopened | 0',
  'order.closed | delivered | 0',
] as const;

const fileOf = (kind: Kind, transitions: readonly string[]): WalkedFile => ({
  file: `${kind}.test.ts`,
  kind,
  machines: { order: { states: chartOf(order).states, transitions, pairs: [] } },
});

it('records the steps of started actors, from the first one, and none of actors that never start', () => {
  const records = observeActors('rules');
  const watched = order.provide({});
  createActor(watched);
  expect(records.get('rules')?.walked()).toEqual({});
  const actor = createActor(watched).start();
  for (const type of ['paid', 'unknown', 'reopened', 'paid', 'delivered']) actor.send({ type });
  const { order: walked } = records.get('rules')?.walked() ?? {};
  expect(walked?.transitions).toEqual([started, reopened, paid, delivered].sort());
  expect(walked?.states).toEqual(['order', 'order.starting', 'order.closed', 'order.done', 'order.open'].sort());
  expect(walked?.pairs).toEqual(
    [`${started} -> ${paid}`, `${paid} -> ${reopened}`, `${reopened} -> ${paid}`, `${paid} -> ${delivered}`].sort(),
  );
});

it('lists the pairs of transitions that the chart allows', () => {
  expect([...possiblePairs(order)].sort()).toEqual(
    [
      `${started} -> ${paid}`,
      `${started} -> ${viewed}`,
      `${viewed} -> ${viewed}`,
      `${viewed} -> ${paid}`,
      `${paid} -> ${reopened}`,
      `${paid} -> ${delivered}`,
      `${reopened} -> ${paid}`,
      `${reopened} -> ${viewed}`,
    ].sort(),
  );
});

it('lists pairs across regions, and only forced transitions after a state with an unguarded always', () => {
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

it('reports what generated paths do not cover, even if another kind covers it', () => {
  const chart = chartOf(order);
  const files = [
    fileOf('paths', [started, paid, reopened, delivered]),
    fileOf('rules', [viewed]),
    fileOf('views', ['unknown']),
  ];
  const line = lineOf(files, chart, 'paths');
  expect(line.counts.transitions).toEqual({ of: 5, paths: 4, rules: 1, views: 0, journeys: 0, any: 5 });
  expect(errorsOf([line], [])).toEqual([`order: the transition "${viewed}" is never taken`]);
  const exception: Exception = { machine: 'order', transition: viewed, reason: 'not reachable' };
  expect(errorsOf([line], [exception])).toEqual([]);
  const unneeded = { ...exception, transition: paid };
  expect(errorsOf([line], [exception, unneeded])).toEqual([
    `order: the exception "${paid}" is taken or does not exist`,
  ]);
  expect(errorsOf([lineOf([], chart, 'paths')], []).length).toBe(transitionsOf(order).length + chart.states.length);
  expect(tableOf([line], 'transitions')).toContain('order         5      4      1      0         0    5  100 %');
});
