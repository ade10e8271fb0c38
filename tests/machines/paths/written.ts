import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import { ServiceError } from '../../../src/services/failure.ts';
import { isDelay, type Model } from '../../paths.ts';
import type { Modelled } from '../models/index.ts';
import { pathsThatCover, type TestPath } from './cover.ts';
import { millisecondsOf } from './delays.ts';
import type { Expected, PathsOfMachine, TestPaths, WrittenPath } from './document.ts';
import type { Cover } from './goals.ts';
import { randomWalks } from './walks.ts';
import { leavesOf, type Words } from './words.ts';

/** What JSON can say of a value. A failed call is told by its failure. */
const plain = (value: unknown): unknown =>
  value === undefined
    ? null
    : JSON.parse(
        JSON.stringify(value, (_, one) => {
          if (one instanceof ServiceError) return one.failure;
          return one instanceof Error ? { kind: 'unexpected' } : one;
        }) ?? 'null',
      );

/** What a tester needs to bring an event about. */
const dataOf = (
  model: Model,
  event: AnyEventObject,
  before: AnyMachineSnapshot,
  { text }: Words,
): Readonly<Record<string, unknown>> => {
  if (isDelay(event.type)) return { [text('paths.milliseconds')]: millisecondsOf(model, event.type, before) };
  const own = model.dataOf?.(event);
  if (own) return plain(own) as Readonly<Record<string, unknown>>;
  const { type: _, error, output, ...data } = event;
  return plain({
    ...data,
    ...(output !== undefined && { [text('paths.answer')]: output }),
    ...(error !== undefined && { [text('paths.reason')]: error }),
  }) as Readonly<Record<string, unknown>>;
};

const expectedOf = (model: Model, state: AnyMachineSnapshot, words: Words): Expected => ({
  value: plain(state.value),
  states: leavesOf(state).map((node) => ({ id: node.id, text: words.standText(node) })),
  facts: plain(model.facts(state)),
});

/** A path in the words of a language. */
export const writtenPath = ({ id }: Modelled, { number, model, goals, steps }: TestPath, words: Words): WrittenPath => {
  const [beginning, ...rest] = steps;
  if (!beginning) throw new Error('A path has a beginning');
  return {
    number,
    kind: goals.length > 0 ? 'cover' : 'walk',
    model: model.name,
    start: words.text(`model.${id}.${model.name}`),
    goals: goals.map((goal) => ({ id: goal, text: words.goalText(goal) })),
    begins: expectedOf(model, beginning.state, words),
    steps: rest.map(({ event, state }, index) => ({
      event: {
        type: event.type,
        text: words.eventText(id, event.type),
        data: dataOf(model, event, steps[index]?.state ?? state, words),
      },
      expected: expectedOf(model, state, words),
    })),
  };
};

export interface Wish {
  readonly cover: Cover;
  readonly walks: number;
  readonly seed: number;
}

/** The paths of one machine in the words of a language. */
export const pathsOfMachine = (modelled: Modelled, { cover, walks, seed }: Wish, words: Words): PathsOfMachine => {
  const { paths, goals, unreached } = pathsThatCover(modelled, cover);
  const known = new Set(paths.map(({ number }) => number));
  return {
    id: modelled.id,
    name: words.text(`machine.${modelled.id}`),
    about: words.text(`machine.${modelled.id}.about`),
    goals: goals.length,
    unreached: [...unreached],
    paths: [...paths, ...randomWalks(modelled, walks, seed, known)].map((path) => writtenPath(modelled, path, words)),
  };
};

export const testPathsOf = (machines: readonly Modelled[], wish: Wish, words: Words): TestPaths => ({
  format: 'dentarium-test-paths',
  version: 1,
  language: words.language,
  ...wish,
  machines: machines.map((machine) => pathsOfMachine(machine, wish, words)),
});
