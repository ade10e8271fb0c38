import type { AnyMachineSnapshot } from 'xstate';
import { isDelay, type Model } from '../../paths.ts';
import type { Step } from './steps.ts';

/** The name of a delay in the event that ends it: `xstate.after.retryDelay.session.unreachable` -> `retryDelay`. */
export const delayNameOf = (type: string): string => type.slice('xstate.after.'.length).split('.')[0] ?? '';

/** How long a delay lasts in a state. */
export const millisecondsOf = ({ machine }: Model, type: string, { context }: AnyMachineSnapshot): number => {
  const delay: unknown = machine.implementations.delays[delayNameOf(type)];
  return Number(typeof delay === 'function' ? delay({ context }) : delay);
};

/** Waiting times along a walk as a clock would run them: of several, the one that ends first comes first. */
export const clockOf = (model: Model) => {
  let now = 0;
  let due: ReadonlyMap<string, number> = new Map();
  return {
    /** Takes in what a step began and ended. Whoever leaves a state and comes back waits anew. */
    take: ({ event, state, taken }: Step): void => {
      if (isDelay(event.type)) now = due.get(event.type) ?? now;
      const left = new Set(taken.flat().map((name) => name.split(' | ')[0]));
      due = new Map(
        state._nodes.flatMap((node) =>
          [...node.transitions.keys()].filter(isDelay).map((type) => {
            const running = left.has(node.id) ? undefined : due.get(type);
            return [type, running ?? now + millisecondsOf(model, type, state)] as const;
          }),
        ),
      );
    },
    /** Can time bring this about next? Whatever is no waiting time can happen at any time. */
    allows: (type: string): boolean => !isDelay(type) || due.get(type) === Math.min(...due.values()),
  };
};
