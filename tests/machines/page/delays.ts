import type { AnyMachineSnapshot } from 'xstate';
import { nodesOf, pathsOf } from '../../paths.ts';
import type { Modelled } from '../models/index.ts';
import { durationOf } from './drawing-rows.ts';

export interface Delay {
  readonly name: string;
  /** `5 s`; when it is worked out, the values that the paths of the models meet, shortest first. */
  readonly values: readonly string[];
  readonly isWorkedOut: boolean;
  /** Ids of the states that wait so long. */
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

/** What a delay comes to in the states in which it runs, wherever the models of the machine lead. */
const workedOut = (
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

/** The delays of a machine with their real values. */
export const delaysOf = (modelled: Modelled): readonly Delay[] => {
  const states = waiting(modelled);
  const named = modelled.machine.implementations.delays;
  return [...new Set([...Object.keys(named), ...states.keys()])].map((name) => {
    const delay: unknown = named[name] ?? Number(name);
    const here = states.get(name) ?? [];
    const isWorkedOut = typeof delay === 'function';
    const values = isWorkedOut ? workedOut(modelled, delay as (args: object) => unknown, here) : [Number(delay)];
    return { name, isWorkedOut, states: here, values: values.map(durationOf) };
  });
};
