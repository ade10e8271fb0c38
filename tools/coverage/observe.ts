import {
  Actor,
  type AnyActorRef,
  type AnyActorScope,
  type AnyStateMachine,
  type InspectionEvent,
  StateMachine,
} from 'xstate';
import { createRecord, type Kind, type Step, type WalkRecord } from './record.ts';

/** Machines whose actors are driven along generated paths. */
const drivenByPaths = new WeakSet<object>();

/** Marks a machine: the steps of its actors are recorded under `paths` instead of the kind of the test file. */
export const markDrivenByPaths = (machine: AnyStateMachine): AnyStateMachine => {
  drivenByPaths.add(machine);
  return machine;
};

const machineOf = (actor: object): AnyStateMachine | null =>
  'logic' in actor && actor.logic instanceof StateMachine ? actor.logic : null;

/** Patches a method so that `hook` is called before it. */
const callBefore = <Name extends string, Self, Args extends unknown[]>(
  prototype: Record<Name, (this: Self, ...args: Args) => unknown>,
  name: Name,
  hook: (self: Self, ...args: Args) => void,
): void => {
  const original = prototype[name];
  prototype[name] = function (this: Self, ...args: Args) {
    hook(this, ...args);
    return original.apply(this, args);
  };
};

/**
 * Records the steps of every actor that starts in this process from now on. `kind`: of the test file. Actors that never start only compute paths
 * and are not recorded.
 */
export const observeActors = (kind: Kind): ReadonlyMap<Kind, WalkRecord> => {
  const records = new Map<Kind, WalkRecord>([kind, 'paths' as const].map((each) => [each, createRecord()]));
  const watched = new WeakSet<object>();
  const started = new WeakSet<object>();
  /** Steps of actors that have not started yet. */
  const pending = new WeakMap<object, readonly Step[]>();
  const record = (actor: object, step: Step) => {
    const machine = machineOf(actor);
    if (machine) records.get(drivenByPaths.has(machine) ? 'paths' : kind)?.step(actor, machine.id, step);
  };
  const onInspection = (event: InspectionEvent) => {
    if (event.type !== '@xstate.microstep') return;
    const { actorRef, snapshot } = event;
    // Path generation uses an actor without a machine, in very many steps.
    if (!machineOf(actorRef)) return;
    const nodes = '_nodes' in snapshot ? (snapshot._nodes as Step['nodes']) : [];
    const step = { transitions: event._transitions as Step['transitions'], nodes };
    if (started.has(actorRef)) record(actorRef, step);
    else pending.set(actorRef, [...(pending.get(actorRef) ?? []), step]);
  };
  const watch = (system: AnyActorRef['system']) => {
    if (watched.has(system)) return;
    watched.add(system);
    system.inspect(onInspection);
  };
  type Methods = Record<string, (this: unknown, ...args: never[]) => unknown>;
  const machines = StateMachine.prototype as unknown as Methods;
  callBefore(machines, 'getInitialSnapshot', (_, { system }: AnyActorScope) => watch(system));
  callBefore(machines, 'transition', (_, _snapshot: unknown, _event: unknown, { system }: AnyActorScope) =>
    watch(system),
  );
  callBefore(Actor.prototype as unknown as Record<'start', (this: object) => unknown>, 'start', (actor) => {
    if (started.has(actor)) return;
    started.add(actor);
    for (const step of pending.get(actor) ?? []) record(actor, step);
    pending.delete(actor);
  });
  return records;
};
