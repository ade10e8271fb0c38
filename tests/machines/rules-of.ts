import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  fromCallback,
  fromPromise,
  SimulatedClock,
  type StateValue,
} from 'xstate';

/** An event, the reply of a port (`done`, `failed` of paths.ts), or milliseconds that pass. */
export type Step = AnyEventObject | number;

/** Effects of the last step of a rule besides the state. Effects that are not named must not happen. */
export interface Effects {
  /** Events that the machine emits. */
  readonly emitted?: readonly AnyEventObject[];
  /** Ports that start, with their input. */
  readonly calls?: readonly (readonly [port: string, input?: unknown])[];
  /** Events that children receive. */
  readonly sends?: readonly (readonly [child: string, event: AnyEventObject])[];
  /** The machine cannot take the event, so views may disable its control. Compared only when given. */
  readonly ignored?: boolean;
  /** Whether the machine has reached its final state. Compared only when given. */
  readonly ended?: boolean;
  /** Facts that changed in the last step. */
  readonly learns?: Readonly<Record<string, unknown>>;
}

/** From the start through these steps to this state, and the effects of the last step. */
export type Rule = readonly [steps: readonly Step[], to: StateValue, effects?: Effects];

interface Rules {
  readonly machine: AnyStateMachine;
  readonly input?: unknown;
  /** Facts of a snapshot that are compared; the whole context by default. */
  readonly facts?: (snapshot: AnyMachineSnapshot) => Readonly<Record<string, unknown>>;
  /** Actors to which the machine sends events. */
  readonly children?: readonly string[];
  /** Actors that are not replaced. */
  readonly keep?: readonly string[];
}

const portReply = /^xstate\.(?:done|error)\.actor\.(.+)$/;

/** A running machine with ports that the test resolves. */
const stagedOf = ({ machine, input, facts = ({ context }) => context, children = [], keep = [] }: Rules) => {
  const held = new Map<string, PromiseWithResolvers<unknown>>();
  const calls: (readonly [string, unknown?])[] = [];
  const sends: (readonly [string, AnyEventObject])[] = [];
  const emitted: AnyEventObject[] = [];
  const record = (name: string, received: unknown) => calls.push(received === undefined ? [name] : [name, received]);
  const port = (name: string) =>
    fromPromise(({ input: received }) => {
      record(name, received);
      const work = Promise.withResolvers<unknown>();
      held.set(name, work);
      return work.promise;
    });
  const child = (name: string) =>
    fromCallback(({ input: received, receive }) => {
      record(name, received);
      receive((event) => sends.push([name, event]));
    });
  const actors = Object.fromEntries(
    Object.keys(machine.implementations.actors)
      .filter((name) => !keep.includes(name))
      .map((name) => [name, children.includes(name) ? child(name) : port(name)]),
  );
  const clock = new SimulatedClock();
  const actor = createActor(machine.provide({ actors }), { input, clock });
  actor.on('*', (event) => emitted.push(event));
  const settle = (name: string, event: AnyEventObject) => {
    const work = held.get(name);
    if (!work) throw new Error(`Port "${name}" is not running`);
    held.delete(name);
    if (event.type.startsWith('xstate.done')) work.resolve(event.output);
    else work.reject(event.error);
  };
  const take = async (step: Step) => {
    const port = typeof step === 'number' ? undefined : portReply.exec(step.type)?.[1];
    if (typeof step === 'number') clock.increment(step);
    else if (port) settle(port, step);
    else actor.send(step);
    // A settled promise is delivered in the microtasks that follow.
    await new Promise(setImmediate);
  };
  const ignores = (step: Step) => typeof step !== 'number' && !actor.getSnapshot().can(step);
  const seen = () => ({ value: actor.getSnapshot().value as StateValue, facts: facts(actor.getSnapshot()) });
  const forget = () => {
    for (const list of [calls, sends, emitted]) list.length = 0;
  };
  return {
    actor,
    take,
    ignores,
    seen,
    forget,
    did: () => ({ emitted: [...emitted], calls: [...calls], sends: [...sends] }),
  };
};

const differences = (before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, before[name])));

const nameOf = (step: Step): string => (typeof step === 'number' ? `${step} ms` : step.type);

const hold = async (rules: Rules, [steps, to, effects]: Rule): Promise<void> => {
  const { actor, take, ignores, seen, forget, did } = stagedOf(rules);
  actor.start();
  let before: Readonly<Record<string, unknown>> = {};
  let ignored = false;
  for (const step of steps) {
    before = seen().facts;
    ignored = ignores(step);
    forget();
    await take(step);
  }
  const { value, facts } = seen();
  const happened = {
    to: value,
    ...did(),
    learns: differences(before, facts),
    ...(effects?.ignored === undefined ? null : { ignored }),
    ...(effects?.ended === undefined ? null : { ended: actor.getSnapshot().status === 'done' }),
  };
  actor.stop();
  const path = steps.map(nameOf).join(' -> ');
  expect(happened, path).toEqual({ to, emitted: [], calls: [], sends: [], learns: {}, ...effects });
};

/** Tests rule by rule what a live actor does, and nothing besides: next state, port calls, emitted events and changed facts. */
export const rulesOf = (rules: Rules, groups: Readonly<Record<string, readonly Rule[]>>): void => {
  it.each(Object.entries(groups))('%s', async (_, group) => {
    for (const rule of group) await hold(rules, rule);
  });
};
