import {
  Actor,
  type AnyActorRef,
  type AnyActorScope,
  type AnyStateMachine,
  type InspectionEvent,
  StateMachine,
} from 'xstate';
import { createRecord, type Kind, type Step, type WalkRecord } from './record.ts';

/** Machines whose actors are led along generated paths. */
const ledByPaths = new WeakSet<object>();

/** Says that the actors of this very machine are led along generated paths, whatever else its test file does. */
export const leadByPaths = (machine: AnyStateMachine): AnyStateMachine => {
  ledByPaths.add(machine);
  return machine;
};

const machineOf = (actor: object): AnyStateMachine | null =>
  'logic' in actor && actor.logic instanceof StateMachine ? actor.logic : null;

/** Runs something before a method of every instance. */
const before = <Name extends string, Self, Args extends unknown[]>(
  prototype: Record<Name, (this: Self, ...args: Args) => unknown>,
  name: Name,
  first: (self: Self, ...args: Args) => void,
): void => {
  const original = prototype[name];
  prototype[name] = function (this: Self, ...args: Args) {
    first(this, ...args);
    return original.apply(this, args);
  };
};

/**
 * Takes down what every actor of every machine does from now on, in this process: tests need to do nothing for it. Actors that never start
 * are those with which paths are computed; what they do is not counted.
 */
export const observeActors = (kind: Kind): ReadonlyMap<Kind, WalkRecord> => {
  const records = new Map<Kind, WalkRecord>([kind, 'paths' as const].map((each) => [each, createRecord()]));
  const watched = new WeakSet<object>();
  const started = new WeakSet<object>();
  /** What an actor did while it was being made. */
  const held = new WeakMap<object, readonly Step[]>();
  const take = (actor: object, step: Step) => {
    const machine = machineOf(actor);
    if (machine) records.get(ledByPaths.has(machine) ? 'paths' : kind)?.step(actor, machine.id, step);
  };
  const hear = (event: InspectionEvent) => {
    if (event.type !== '@xstate.microstep') return;
    const { actorRef, snapshot } = event;
    const nodes = '_nodes' in snapshot ? (snapshot._nodes as Step['nodes']) : [];
    const step = { transitions: event._transitions as Step['transitions'], nodes };
    if (started.has(actorRef)) take(actorRef, step);
    else held.set(actorRef, [...(held.get(actorRef) ?? []), step]);
  };
  const watch = (system: AnyActorRef['system']) => {
    if (watched.has(system)) return;
    watched.add(system);
    system.inspect(hear);
  };
  type Scoped = Record<string, (this: unknown, ...args: never[]) => unknown>;
  const machines = StateMachine.prototype as unknown as Scoped;
  before(machines, 'getInitialSnapshot', (_, { system }: AnyActorScope) => watch(system));
  before(machines, 'transition', (_, _snapshot: unknown, _event: unknown, { system }: AnyActorScope) => watch(system));
  before(Actor.prototype as unknown as Record<'start', (this: object) => unknown>, 'start', (actor) => {
    if (started.has(actor)) return;
    started.add(actor);
    for (const step of held.get(actor) ?? []) take(actor, step);
    held.delete(actor);
  });
  return records;
};
