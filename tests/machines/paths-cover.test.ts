import { describe, expect, it } from 'vitest';
import { isDelay, serialized } from '../paths.ts';
import { type Modelled, machines } from './models/index.ts';
import { type Covered, pathsThatCover } from './paths/cover.ts';
import { clockOf } from './paths/delays.ts';
import { type Cover, covers, reachedBy } from './paths/goals.ts';
import { numberOf } from './paths/identity.ts';
import { stepperOf, wayOf } from './paths/steps.ts';
import { randomWalks } from './paths/walks.ts';

const small = ['connection', 'patient-search', 'two-factor', 'app'];

const numbersOf = ({ paths }: Covered) => paths.map(({ number }) => number);
const waysOf = ({ paths }: Covered) => paths.map(({ model, steps }) => [model.name, ...wayOf(steps)].join('\n'));

/** What paths reach when they are walked anew, one after the other. */
const reachedAnew = ({ paths }: Covered, cover: Cover): ReadonlySet<string> => {
  const reached = new Set<string>();
  for (const { model, steps } of paths) {
    const { begin, next } = stepperOf(model);
    const walked = [begin()];
    const take = () => {
      for (const goal of reachedBy(cover, walked)) reached.add(goal);
    };
    take();
    for (const { event } of steps.slice(1)) {
      const state = walked.at(-1)?.state;
      if (!state) throw new Error('A walk has a beginning');
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

  it('reach every goal, also when they are walked anew', () => {
    expect(covered.unreached).toEqual([]);
    expect(covered.goals.length).toBeGreaterThan(0);
    const reached = reachedAnew(covered, cover);
    expect(covered.goals.filter((goal) => !reached.has(goal))).toEqual([]);
    expect(covered.paths.flatMap(({ goals }) => goals).sort()).toEqual([...covered.goals].sort());
  });

  it('are different, and none is the beginning of another', () => {
    const numbers = numbersOf(covered);
    expect(new Set(numbers).size).toBe(numbers.length);
    const ways = waysOf(covered);
    for (const way of ways) expect(ways.filter((other) => other.startsWith(`${way}\n`))).toEqual([]);
  });
});

describe('the numbers of paths', () => {
  const connection = machines.find(({ id }) => id === 'connection');
  if (!connection) throw new Error('The connection is gone');

  it('are the same from run to run, in the same order', () => {
    expect(numbersOf(pathsThatCover(connection, 'pairs'))).toEqual(numbersOf(pathsThatCover(connection, 'pairs')));
    expect(numberOf('session', 'session', ['a', 'b'])).toBe('SESS-NABMB39');
  });

  it('stay when something else can happen too', () => {
    const news = { type: 'news.heard', news: { name: 'parsing', body: {} } };
    const models = connection.models.map((model) => ({ ...model, events: [...model.events, news] }));
    for (const cover of covers)
      expect(numbersOf(pathsThatCover({ ...connection, models }, cover))).toEqual(
        numbersOf(pathsThatCover(connection, cover)),
      );
  });

  it('tell steps, models and machines apart', () => {
    const numbers = [
      numberOf('session', 'session', ['a', 'b']),
      numberOf('session', 'session', ['a', 'c']),
      numberOf('session', 'another', ['a', 'b']),
      numberOf('sessions', 'session', ['a', 'b']),
    ];
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

describe.each(machines.map((one) => [one.id, one] as const))('walks at random through %s', (_, modelled) => {
  const waysWith = (seed: number) =>
    randomWalks(modelled, 6, seed).map(({ model, steps }) => [model.name, ...wayOf(steps)].join(' '));

  it('are those of their seed', () => {
    expect(waysWith(7)).toEqual(waysWith(7));
    expect(waysWith(8)).not.toEqual(waysWith(7));
    expect(new Set(waysWith(7)).size).toBe(6);
  });

  it('take steps that are possible, until the machine is finished or the walk is long enough', () => {
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

describe('time on a walk at random', () => {
  it('lets the waiting time that ends first end first', () => {
    const app = machines.find(({ id }) => id === 'app');
    if (!app) throw new Error('The application is gone');
    const delays = randomWalks(app, 40, 7).map(({ steps }) => steps.map(({ event }) => event.type).filter(isDelay));
    const both = delays.filter((types) => types.length === 2);
    expect(both.length).toBeGreaterThan(5);
    // The spinner comes after 300 ms, the least wait is over after 1300.
    for (const [first, second] of both) {
      expect(first).toContain('spinnerDelay');
      expect(second).toContain('minimumWait');
    }
  });

  it('runs only in its state', () => {
    const search = machines.find(({ id }) => id === 'patient-search');
    const [model] = search?.models ?? [];
    if (!model) throw new Error('The search is gone');
    const { begin, next } = stepperOf(model);
    const clock = clockOf(model);
    const begun = begin();
    clock.take(begun);
    const debounce = 'xstate.after.debounce.patient-search.typing';
    expect(clock.allows(debounce)).toBe(false);
    const typed = next(begun.state, { type: 'text.changed', text: 'anna' });
    clock.take(typed);
    expect(clock.allows(debounce)).toBe(true);
    expect(clock.allows('text.changed')).toBe(true);
    clock.take(next(typed.state, { type: debounce }));
    expect(clock.allows(debounce)).toBe(false);
  });
});
