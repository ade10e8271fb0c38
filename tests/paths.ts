import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type AnyTransitionDefinition,
  fromTransition,
} from 'xstate';
import { getShortestPaths, type StatePath } from 'xstate/graph';
import type { ProblemCode } from '../contract/problem.ts';
import { nameOf } from '../src/inspect/transition-name.ts';
import { type Failure, ServiceError } from '../src/services/failure.ts';

export { nameOf };

/** A model of a machine: its events, and the facts that distinguish its states. */
export interface Model {
  /** Distinguishes it from the other models of the machine. */
  readonly name: string;
  readonly machine: AnyStateMachine;
  readonly input?: unknown;
  /** All events except delays, which are read from the machine. */
  readonly events: readonly AnyEventObject[];
  /** Possible replies of ports in a state, where they depend on the input. Each such port also has a reply in `events`. */
  readonly answers?: (snapshot: AnyMachineSnapshot) => readonly AnyEventObject[];
  /** The part of the context that distinguishes states; must have finitely many values. */
  readonly facts: (snapshot: AnyMachineSnapshot) => unknown;
  /** States from which further paths would only repeat others. */
  readonly stopWhen?: (snapshot: AnyMachineSnapshot) => boolean;
  /** Data with which a tester can cause an event, if it is not the event itself. */
  readonly dataOf?: (event: AnyEventObject) => Readonly<Record<string, unknown>> | null;
  readonly limit?: number;
}

export type Path = StatePath<AnyMachineSnapshot, AnyEventObject>;

/** The reply of a port. */
export const done = (port: string, output?: unknown): AnyEventObject => ({ type: `xstate.done.actor.${port}`, output });
/** The error of a port. */
export const failed = (port: string, failure: Failure): AnyEventObject => ({
  type: `xstate.error.actor.${port}`,
  error: new ServiceError(failure),
});

export const offline: Failure = { kind: 'offline' };
export const drift: Failure = { kind: 'drift', where: 'test' };
export const refused = (code: ProblemCode): Failure => ({
  kind: 'refused',
  status: 400,
  code,
  errors: [],
});

export const nodesOf = (machine: AnyStateMachine): readonly AnyStateNode[] => {
  const below = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(below)];
  return below(machine.root);
};

/** Returns whether a state only blocks an event from its parents: no target and no actions. */
export const isForbidden = ({ target, actions }: AnyTransitionDefinition) =>
  target === undefined && actions.length === 0;

export const transitionsOf = (machine: AnyStateMachine): readonly string[] =>
  nodesOf(machine)
    .flatMap((node) => [...node.transitions.values()].flat().concat(node.always ?? []))
    .filter((transition) => !isForbidden(transition))
    .map(nameOf);

export const isDelay = (type: string): boolean => type.startsWith('xstate.after.');
const isOwn = (type: string): boolean => type.startsWith('xstate.done.state.') || type === '';

const descriptorsOf = (machine: AnyStateMachine): readonly string[] => [
  ...new Set(nodesOf(machine).flatMap((node) => [...node.transitions.keys()])),
];

/** Delays come from the machine; every other event that it knows must be in the alphabet, or a path would be missing in silence. */
export const alphabetOf = (
  { machine, events, answers }: Model,
  raised: readonly string[],
): readonly AnyEventObject[] => {
  const known = descriptorsOf(machine).filter((type) => !isOwn(type) && !raised.includes(type));
  // What `answers` leaves out shows as a transition that was never taken.
  const isMet = (type: string) =>
    (answers !== undefined && type.startsWith('xstate.done.actor.')) ||
    events.some((event) => (type.endsWith('.*') ? event.type.startsWith(type.slice(0, -1)) : event.type === type));
  const missing = known.filter((type) => !isDelay(type) && !isMet(type));
  if (missing.length > 0) throw new Error(`The alphabet lacks: ${missing.join(', ')}`);
  return [...events, ...known.filter(isDelay).map((type) => ({ type }))];
};

export const serialized = (event: AnyEventObject | undefined) =>
  JSON.stringify(event, (_, value) => (value instanceof ServiceError ? value.failure : value));

/**
 * The scope in which paths are computed never stops a child, so the names that children have in the system would stay taken: children
 * with a name are replaced by one that gives it back at once.
 */
const nameless = fromTransition(
  (state: null) => state,
  ({ self }) => {
    (self.system as unknown as { _unregister: (actor: unknown) => void })._unregister(self);
    return null;
  },
);

export const withoutNames = (machine: AnyStateMachine): AnyStateMachine => {
  const named = nodesOf(machine).flatMap((node) => node.invoke.filter(({ systemId }) => systemId));
  return machine.provide({ actors: Object.fromEntries(named.map(({ src }) => [src, nameless])) });
};

/** The shortest path to every transition of the machine, without those that are the beginning of another. */
export const pathsOf = (model: Model, raised: readonly string[] = []): readonly Path[] => {
  const { machine, input, answers, facts, stopWhen, limit = 20_000 } = model;
  const alphabet = alphabetOf(model, raised);
  const paths = getShortestPaths(withoutNames(machine), {
    input,
    limit,
    events: answers ? (snapshot: AnyMachineSnapshot) => [...alphabet, ...answers(snapshot)] : [...alphabet],
    filterEvents: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => snapshot.can(event),
    serializeEvent: serialized,
    serializeState: (snapshot: AnyMachineSnapshot, event, previous) =>
      JSON.stringify([snapshot.value, facts(snapshot), serialized(event), previous?.value]),
    stopWhen: (snapshot: AnyMachineSnapshot) => snapshot.status !== 'active' || stopWhen?.(snapshot) === true,
  }) as readonly Path[];
  const walks = paths
    .map((path) => ({ path, steps: path.steps.map((step) => serialized(step.event)) }))
    .sort((one, other) => other.steps.length - one.steps.length);
  const kept: typeof walks = [];
  const beginnings = new Set<string>();
  for (const walk of walks) {
    if (beginnings.has(walk.steps.join('\n'))) continue;
    kept.push(walk);
    for (let length = 1; length < walk.steps.length; length += 1)
      beginnings.add(walk.steps.slice(0, length).join('\n'));
  }
  return kept.map(({ path }) => path);
};
