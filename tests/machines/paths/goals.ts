import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { pairOf } from '../../cover/record.ts';
import { nodesOf, transitionsOf } from '../../paths.ts';
import type { Step } from './steps.ts';

export const covers = ['states', 'transitions', 'pairs'] as const;
/** What paths are to reach: every state, every transition, or every two transitions one after the other. */
export type Cover = (typeof covers)[number];

/** A state that is left in the same breath is never seen at rest. */
export const statesOf = (machine: AnyStateMachine): readonly string[] =>
  nodesOf(machine)
    .filter(({ always, parent }) => parent !== undefined && (always ?? []).every(({ guard }) => guard !== undefined))
    .map(({ id }) => id);

const nodesIn = (state: AnyMachineSnapshot): readonly string[] => state._nodes.map(({ id }) => id);

/** What the last step of a walk adds to what was reached, in the words of a cover. */
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
 * The order in which goals are told: that of the chart, so that a new state or transition moves none of the others. Pairs are those that
 * occur, by their first and then by their second transition.
 */
export const inOrder = (cover: Cover, machine: AnyStateMachine, reached: ReadonlySet<string>): readonly string[] => {
  if (cover === 'states') return statesOf(machine);
  const transitions = transitionsOf(machine);
  if (cover === 'transitions') return transitions;
  return transitions.flatMap((first) =>
    transitions.map((second) => pairOf(first, second)).filter((pair) => reached.has(pair)),
  );
};
