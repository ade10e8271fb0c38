import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import { ServiceError } from '../../src/services/failure.ts';
import type { Modelled } from '../../tests/machines/models/index.ts';
import { isDelay, type Model } from '../../tests/paths.ts';
import { requiredText } from '../machine-texts.ts';
import { pathsThatCover, type TestPath } from './cover.ts';
import { millisecondsOf } from './delays.ts';
import type { Expected, MachinePaths, PathDocument, TestPaths } from './document.ts';
import type { Cover } from './goals.ts';
import { instructionFor } from './instructions/index.ts';
import { eventText, fullStateText, goalText, leavesOf } from './texts.ts';
import { randomWalks } from './walks.ts';

/** Returns a value as JSON can hold it; a failed call becomes its failure. */
const plain = (value: unknown): unknown =>
  value === undefined
    ? null
    : JSON.parse(
        JSON.stringify(value, (_, one) => {
          if (one instanceof ServiceError) return one.failure;
          return one instanceof Error ? { kind: 'unexpected' } : one;
        }) ?? 'null',
      );

const dataOf = (model: Model, event: AnyEventObject, before: AnyMachineSnapshot): Readonly<Record<string, unknown>> => {
  if (isDelay(event.type)) return { Milliseconds: millisecondsOf(model, event.type, before) };
  const own = model.dataOf?.(event);
  if (own) return plain(own) as Readonly<Record<string, unknown>>;
  const { type: _, error, output, ...data } = event;
  return plain({
    ...data,
    ...(output !== undefined && { Reply: output }),
    ...(error !== undefined && { Reason: error }),
  }) as Readonly<Record<string, unknown>>;
};

const expectedOf = (model: Model, state: AnyMachineSnapshot): Expected => ({
  value: plain(state.value),
  states: leavesOf(state).map((node) => ({ id: node.id, text: fullStateText(node) })),
  facts: plain(model.facts(state)),
});

/** Returns a path with the texts that a tester reads. */
export const documentOf = ({ id }: Modelled, { number, model, goals, steps }: TestPath): PathDocument => {
  const [initial, ...rest] = steps;
  if (!initial) throw new Error('A path has an initial state');
  return {
    number,
    kind: goals.length > 0 ? 'cover' : 'walk',
    model: model.name,
    start: requiredText(`model.${id}.${model.name}`),
    goals: goals.map((goal) => ({ id: goal, text: goalText(goal) })),
    initial: expectedOf(model, initial.state),
    steps: rest.map(({ event, state }, index) => {
      const before = steps[index]?.state ?? state;
      return {
        event: {
          type: event.type,
          text: eventText(id, event.type),
          data: dataOf(model, event, before),
          ...instructionFor(model, event, before),
        },
        expected: expectedOf(model, state),
      };
    }),
  };
};

export interface PathOptions {
  readonly cover: Cover;
  readonly walks: number;
  readonly seed: number;
}

const machinePathsOf = (modelled: Modelled, { cover, walks, seed }: PathOptions): MachinePaths => {
  const { paths, goals, unreached } = pathsThatCover(modelled, cover);
  const known = new Set(paths.map(({ number }) => number));
  return {
    id: modelled.id,
    name: requiredText(`machine.${modelled.id}`),
    about: requiredText(`machine.${modelled.id}.about`),
    goals: goals.length,
    unreached: [...unreached],
    paths: [...paths, ...randomWalks(modelled, walks, seed, known)].map((path) => documentOf(modelled, path)),
  };
};

export const testPathsOf = (machines: readonly Modelled[], options: PathOptions): TestPaths => ({
  format: 'dentarium-test-paths',
  version: 2,
  ...options,
  machines: machines.map((machine) => machinePathsOf(machine, options)),
});
