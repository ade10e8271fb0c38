import { describe, expect, it } from 'vitest';
import { type Covered, pathsThatCover } from '../../tools/paths/cover.ts';
import { clockOf } from '../../tools/paths/delays.ts';
import { type Cover, covers, reachedBy } from '../../tools/paths/goals.ts';
import { numberOf } from '../../tools/paths/identity.ts';
import { eventsOf, stepperOf } from '../../tools/paths/steps.ts';
import { randomWalks } from '../../tools/paths/walks.ts';
import { isDelay, serialized } from '../paths.ts';
import { type Modelled, machines } from './models/index.ts';

const small = ['connection', 'patient-search', 'two-factor', 'app'];

const numbersOf = ({ paths }: Covered) => paths.map(({ number }) => number);
const eventListsOf = ({ paths }: Covered) =>
  paths.map(({ model, steps }) => [model.name, ...eventsOf(steps)].join('\n'));

/** Returns the goals that paths reach when they are walked again. */
const reachedAgain = ({ paths }: Covered, cover: Cover): ReadonlySet<string> => {
  const reached = new Set<string>();
  for (const { model, steps } of paths) {
    const { start, next } = stepperOf(model);
    const walked = [start()];
    const take = () => {
      for (const goal of reachedBy(cover, walked)) reached.add(goal);
    };
    take();
    for (const { event } of steps.slice(1)) {
      const state = walked.at(-1)?.state;
      if (!state) throw new Error('A path has an initial state');
      walked.push(next(state, event));
      take();
    }
  }
  return reached;
};

const cases = machines.flatMap((modelled) =>
  covers
    .filter((cover) => cover === 'transitions' || small.includes(modelled.id))
    .map((cover) => [modelled.id, cover, modelled] as const),
);

describe.each(cases)('the paths of %s that cover %s', (_, cover, modelled: Modelled) => {
  const covered = pathsThatCover(modelled, cover);

  it('reach every goal, also when they are walked again', () => {
    expect(covered.unreached).toEqual([]);
    expect(covered.goals.length).toBeGreaterThan(0);
    const reached = reachedAgain(covered, cover);
    expect(covered.goals.filter((goal) => !reached.has(goal))).toEqual([]);
    expect(covered.paths.flatMap(({ goals }) => goals).sort()).toEqual([...covered.goals].sort());
  });

  it('are different, and none is a prefix of another', () => {
    const numbers = numbersOf(covered);
    expect(new Set(numbers).size).toBe(numbers.length);
    const lists = eventListsOf(covered);
    for (const list of lists) expect(lists.filter((other) => other.startsWith(`${list}\n`))).toEqual([]);
  });
});

describe('the numbers of paths', () => {
  const connection = machines.find(({ id }) => id === 'connection');
  if (!connection) throw new Error('No machine "connection"');

  it('are the same from run to run, in the same order', () => {
    expect(numbersOf(pathsThatCover(connection, 'pairs'))).toEqual(numbersOf(pathsThatCover(connection, 'pairs')));
    expect(numberOf('session', 'session', ['a', 'b'])).toBe('SESS-NABMB39');
  });

  it('stay the same when a model gets another event', () => {
    const hubEvent = { type: 'hub-event.received', hubEvent: { name: 'parsing', body: {} } };
    const models = connection.models.map((model) => ({ ...model, events: [...model.events, hubEvent] }));
    for (const cover of covers)
      expect(numbersOf(pathsThatCover({ ...connection, models }, cover))).toEqual(
        numbersOf(pathsThatCover(connection, cover)),
      );
  });

  it('differ by steps, model and machine', () => {
    const numbers = [
      numberOf('session', 'session', ['a', 'b']),
      numberOf('session', 'session', ['a', 'c']),
      numberOf('session', 'another', ['a', 'b']),
      numberOf('sessions', 'session', ['a', 'b']),
    ];
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

describe.each(machines.map((one) => [one.id, one] as const))('random walks through %s', (_, modelled) => {
  const walksWith = (seed: number) =>
    randomWalks(modelled, 6, seed).map(({ model, steps }) => [model.name, ...eventsOf(steps)].join(' '));

  it('depend on the seed', () => {
    expect(walksWith(7)).toEqual(walksWith(7));
    expect(walksWith(8)).not.toEqual(walksWith(7));
    expect(new Set(walksWith(7)).size).toBe(6);
  });

  it('take possible steps until the machine is finished or the walk is long enough', () => {
    for (const { model, steps } of randomWalks(modelled, 6, 7)) {
      for (const [index, { event, taken }] of steps.entries()) {
        if (index === 0) continue;
        expect(taken.length, serialized(event)).toBeGreaterThan(0);
        expect(steps[index - 1]?.state.status, model.name).toBe('active');
      }
      expect(steps.length === 21 || steps.at(-1)?.state.status !== 'active').toBe(true);
    }
  });
});

describe('delays on a random walk', () => {
  it('elapse in the order of their length', () => {
    const app = machines.find(({ id }) => id === 'app');
    if (!app) throw new Error('No machine "app"');
    const delays = randomWalks(app, 40, 7).map(({ steps }) => steps.map(({ event }) => event.type).filter(isDelay));
    const both = delays.filter((types) => types.length === 2);
    expect(both.length).toBeGreaterThan(5);
    // The spinner is shown after 300 ms; the minimum time ends after 1300 ms.
    for (const [first, second] of both) {
      expect(first).toContain('spinnerDelay');
      expect(second).toContain('minimumWait');
    }
  });

  it('run only in their state', () => {
    const search = machines.find(({ id }) => id === 'patient-search');
    const [model] = search?.models ?? [];
    if (!model) throw new Error('No model of the patient search');
    const { start, next } = stepperOf(model);
    const clock = clockOf(model);
    const started = start();
    clock.take(started);
    const debounce = 'xstate.after.debounce.patient-search.typing';
    expect(clock.allows(debounce)).toBe(false);
    const typed = next(started.state, { type: 'text.changed', text: 'anna' });
    clock.take(typed);
    expect(clock.allows(debounce)).toBe(true);
    expect(clock.allows('text.changed')).toBe(true);
    clock.take(next(typed.state, { type: debounce }));
    expect(clock.allows(debounce)).toBe(false);
  });
});
