import type { AnyMachineSnapshot } from 'xstate';
import type { Modelled } from '../../tests/machines/models/index.ts';
import { nodesOf, pathsOf } from '../../tests/paths.ts';
import { durationOf } from '../duration.ts';

export interface Delay {
  readonly name: string;
  /** `5 s`; of a computed delay, the values along the paths of the models, shortest first. */
  readonly values: readonly string[];
  readonly isComputed: boolean;
  /** Ids of the states with this delay. */
  readonly states: readonly string[];
}

const waiting = ({ machine }: Modelled): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const node of nodesOf(machine))
    for (const { delay } of node.after) found.set(String(delay), [...(found.get(String(delay)) ?? []), node.id]);
  return new Map([...found].map(([name, states]) => [name, [...new Set(states)]]));
};

const isIn = (snapshot: AnyMachineSnapshot, states: readonly string[]) =>
  snapshot._nodes.some(({ id }: { id: string }) => states.includes(id));

/** Returns the values of a computed delay in its states, along the paths of the models. */
const computedValues = (
  modelled: Modelled,
  delay: (args: object) => unknown,
  states: readonly string[],
): readonly number[] => {
  const snapshots = modelled.models.flatMap((model) =>
    pathsOf(model, modelled.raised).flatMap((path) => [...path.steps.map(({ state }) => state), path.state]),
  );
  const values = snapshots.filter((one) => isIn(one, states)).map((one) => delay({ context: one.context }));
  return [...new Set(values)].filter((value) => typeof value === 'number').sort((one, other) => one - other);
};

/** Returns the delays of a machine with their values. */
export const delaysOf = (modelled: Modelled): readonly Delay[] => {
  const states = waiting(modelled);
  const named = modelled.machine.implementations.delays;
  return [...new Set([...Object.keys(named), ...states.keys()])].map((name) => {
    const delay: unknown = named[name] ?? Number(name);
    const here = states.get(name) ?? [];
    const isComputed = typeof delay === 'function';
    const values = isComputed ? computedValues(modelled, delay as (args: object) => unknown, here) : [Number(delay)];
    return { name, isComputed, states: here, values: values.map(durationOf) };
  });
};
