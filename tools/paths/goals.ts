import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { nodesOf, transitionsOf } from '../../tests/paths.ts';
import { pairOf } from '../coverage/record.ts';
import type { Step } from './steps.ts';

export const covers = ['states', 'transitions', 'pairs'] as const;
/** What paths cover: every state, every transition, or every two consecutive transitions. */
export type Cover = (typeof covers)[number];

/** Returns the ids of the states that a machine can rest in; a state with an unguarded `always` is left at once. */
export const statesOf = (machine: AnyStateMachine): readonly string[] =>
  nodesOf(machine)
    .filter(({ always, parent }) => parent !== undefined && (always ?? []).every(({ guard }) => guard !== undefined))
    .map(({ id }) => id);

const nodesIn = (state: AnyMachineSnapshot): readonly string[] => state._nodes.map(({ id }) => id);

/** Returns the goals that the last step reaches. */
export const reachedBy = (cover: Cover, steps: readonly Step[]): readonly string[] => {
  const last = steps.at(-1);
  if (!last) return [];
  if (cover === 'states') return nodesIn(last.state);
  if (cover === 'transitions') return last.taken.flat();
  const before =
    steps
      .slice(0, -1)
      .findLast(({ taken }) => taken.length > 0)
      ?.taken.at(-1) ?? [];
  return last.taken.flatMap((names, index) =>
    (index === 0 ? before : (last.taken[index - 1] ?? [])).flatMap((first) => names.map((name) => pairOf(first, name))),
  );
};

/**
 * Returns all goals in the order of the chart, so that a new state or transition does not move the others. Pairs are those that were
 * reached, by their first and then by their second transition.
 */
export const goalsOf = (cover: Cover, machine: AnyStateMachine, reached: ReadonlySet<string>): readonly string[] => {
  if (cover === 'states') return statesOf(machine);
  const transitions = transitionsOf(machine);
  if (cover === 'transitions') return transitions;
  return transitions.flatMap((first) =>
    transitions.map((second) => pairOf(first, second)).filter((pair) => reached.has(pair)),
  );
};
