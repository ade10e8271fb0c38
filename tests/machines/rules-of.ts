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

/** An event, the answer of a port (`done`, `failed` of paths.ts), or milliseconds that pass. */
export type Step = AnyEventObject | number;

/** What the last step of a rule leads to, besides the state. What is not named must not happen. */
export interface Effects {
  /** What the machine says aloud. */
  readonly told?: readonly AnyEventObject[];
  /** Ports that begin to work, with what they are asked. */
  readonly asks?: readonly (readonly [port: string, input?: unknown])[];
  /** What children are told. */
  readonly sends?: readonly (readonly [child: string, event: AnyEventObject])[];
  /** The machine does not take the event at all: what shows it may be barred. Compared only where it is said. */
  readonly refused?: boolean;
  /** The machine has come to its end, or not. Compared only where it is said. */
  readonly ended?: boolean;
  /** Facts that are others than before the step. */
  readonly learns?: Readonly<Record<string, unknown>>;
}

/** From the beginning through these steps, to this state; what the last step does besides. */
export type Rule = readonly [steps: readonly Step[], to: StateValue, effects?: Effects];

interface Rules {
  readonly machine: AnyStateMachine;
  readonly input?: unknown;
  /** What of a snapshot is compared; all of the context when nothing is said. */
  readonly facts?: (snapshot: AnyMachineSnapshot) => Readonly<Record<string, unknown>>;
  /** Actors to which the machine speaks. */
  readonly children?: readonly string[];
  /** Actors that stay as they are. */
  readonly keep?: readonly string[];
}

const answered = /^xstate\.(?:done|error)\.actor\.(.+)$/;

/** A machine at work with ports that the test answers. */
const stagedOf = ({ machine, input, facts = ({ context }) => context, children = [], keep = [] }: Rules) => {
  const held = new Map<string, PromiseWithResolvers<unknown>>();
  const asks: (readonly [string, unknown?])[] = [];
  const sends: (readonly [string, AnyEventObject])[] = [];
  const told: AnyEventObject[] = [];
  const ask = (name: string, asked: unknown) => asks.push(asked === undefined ? [name] : [name, asked]);
  const port = (name: string) =>
    fromPromise(({ input: asked }) => {
      ask(name, asked);
      const work = Promise.withResolvers<unknown>();
      held.set(name, work);
      return work.promise;
    });
  const child = (name: string) =>
    fromCallback(({ input: asked, receive }) => {
      ask(name, asked);
      receive((event) => sends.push([name, event]));
    });
  const actors = Object.fromEntries(
    Object.keys(machine.implementations.actors)
      .filter((name) => !keep.includes(name))
      .map((name) => [name, children.includes(name) ? child(name) : port(name)]),
  );
  const clock = new SimulatedClock();
  const actor = createActor(machine.provide({ actors }), { input, clock });
  actor.on('*', (event) => told.push(event));
  const answer = (name: string, event: AnyEventObject) => {
    const work = held.get(name);
    if (!work) throw new Error(`Port "${name}" is not at work`);
    held.delete(name);
    if (event.type.startsWith('xstate.done')) work.resolve(event.output);
    else work.reject(event.error);
  };
  const take = async (step: Step) => {
    const port = typeof step === 'number' ? undefined : answered.exec(step.type)?.[1];
    if (typeof step === 'number') clock.increment(step);
    else if (port) answer(port, step);
    else actor.send(step);
    // A settled promise is heard of in the turns of the microtask queue that follow.
    await new Promise(setImmediate);
  };
  const refuses = (step: Step) => typeof step !== 'number' && !actor.getSnapshot().can(step);
  const seen = () => ({ value: actor.getSnapshot().value as StateValue, facts: facts(actor.getSnapshot()) });
  const forget = () => {
    for (const list of [asks, sends, told]) list.length = 0;
  };
  return { actor, take, refuses, seen, forget, did: () => ({ told: [...told], asks: [...asks], sends: [...sends] }) };
};

const differences = (before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, before[name])));

const nameOf = (step: Step): string => (typeof step === 'number' ? `${step} ms` : step.type);

const hold = async (rules: Rules, [steps, to, effects]: Rule): Promise<void> => {
  const { actor, take, refuses, seen, forget, did } = stagedOf(rules);
  actor.start();
  let before: Readonly<Record<string, unknown>> = {};
  let refused = false;
  for (const step of steps) {
    before = seen().facts;
    refused = refuses(step);
    forget();
    await take(step);
  }
  const { value, facts } = seen();
  const happened = {
    ...{ to: value, ...did(), learns: differences(before, facts) },
    ...(effects?.refused === undefined ? null : { refused }),
    ...(effects?.ended === undefined ? null : { ended: actor.getSnapshot().status === 'done' }),
  };
  actor.stop();
  const way = steps.map(nameOf).join(' -> ');
  expect(happened, way).toEqual({ ...{ to, told: [], asks: [], sends: [], learns: {} }, ...effects });
};

/** Says rule by rule what a machine does on a live actor, and nothing besides: where it goes, what it asks, says and remembers. */
export const rulesOf = (rules: Rules, groups: Readonly<Record<string, readonly Rule[]>>): void => {
  it.each(Object.entries(groups))('%s', async (_, group) => {
    for (const rule of group) await hold(rules, rule);
  });
};
