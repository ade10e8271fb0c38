import type { AnyStateMachine } from 'xstate';
import type { Modelled } from '../../tests/machines/models/index.ts';
import { chartOf, statesOf } from './chart.ts';

/** A machine that another one starts. */
export interface Child {
  readonly machine: string;
  /** State of the parent in which it runs; null when it is spawned. */
  readonly state: string | null;
}

const isMachine = (logic: unknown): logic is AnyStateMachine =>
  typeof logic === 'object' && logic !== null && '__xstatenode' in logic;

const childrenOf = (machine: AnyStateMachine): readonly Child[] => {
  const logics = Object.entries(machine.implementations.actors).filter(([, logic]) => isMachine(logic));
  const invokes = statesOf(chartOf(machine)).flatMap(({ id, invokes }) =>
    invokes.map(({ source }) => ({ source, state: id })),
  );
  return logics.flatMap(([source, logic]): readonly Child[] => {
    const parents = invokes.filter((one) => one.source === source).map(({ state }) => state);
    const { id } = logic as AnyStateMachine;
    return parents.length > 0 ? parents.map((state) => ({ machine: id, state })) : [{ machine: id, state: null }];
  });
};

/** Returns the children of each machine. */
export const childrenByMachine = (machines: readonly Modelled[]): ReadonlyMap<string, readonly Child[]> =>
  new Map(machines.map(({ id, machine }) => [id, childrenOf(machine)]));

/** Returns the machines that no other machine starts. */
export const rootsOf = (children: ReadonlyMap<string, readonly Child[]>): readonly string[] => {
  const started = new Set([...children.values()].flat().map(({ machine }) => machine));
  return [...children.keys()].filter((id) => !started.has(id));
};
