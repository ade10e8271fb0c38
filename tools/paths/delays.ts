import type { AnyMachineSnapshot } from 'xstate';
import { isDelay, type Model } from '../../tests/paths.ts';
import type { Step } from './steps.ts';

/** Returns the name of a delay: `xstate.after.retryDelay.session.unreachable` -> `retryDelay`. */
export const delayNameOf = (type: string): string => type.slice('xstate.after.'.length).split('.')[0] ?? '';

/** Returns the length of a delay in a state. */
export const millisecondsOf = ({ machine }: Model, type: string, { context }: AnyMachineSnapshot): number => {
  const delay: unknown = machine.implementations.delays[delayNameOf(type)];
  return Number(typeof delay === 'function' ? delay({ context }) : delay);
};

/** Returns a clock for a walk: of several running delays, the one that ends first is the next. */
export const clockOf = (model: Model) => {
  let now = 0;
  let due: ReadonlyMap<string, number> = new Map();
  return {
    /** Starts and stops the delays of a step. A state that is left and entered again restarts its delays. */
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
    /** Returns whether the event can be next. Events other than delays can happen at any time. */
    allows: (type: string): boolean => !isDelay(type) || due.get(type) === Math.min(...due.values()),
  };
};
