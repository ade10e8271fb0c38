import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { nameOf } from '../../paths.ts';

/** What starts a transition. */
export type Cause =
  | { readonly kind: 'event'; readonly event: string }
  | { readonly kind: 'answered' | 'failed'; readonly port: string }
  | { readonly kind: 'after'; readonly delay: string }
  | { readonly kind: 'finished'; readonly state: string }
  | { readonly kind: 'always' };

/** One way out of a state, or a thing that happens in it. */
export interface Transition {
  /** The name by which tests and paths know it. */
  readonly name: string;
  readonly cause: Cause;
  /** The guard with what it is given, `stands validation`; null when nothing is asked. */
  readonly guard: string | null;
  /** Ids of states; empty when the state stays. */
  readonly targets: readonly string[];
  readonly actions: readonly string[];
  /** Its place among those that the same event may start: the first whose guard holds is taken. */
  readonly rank: number;
  /** The event is refused here, though a state around this one would take it. */
  readonly isRefused: boolean;
}

/** A state, plainly. */
export interface State {
  readonly id: string;
  readonly key: string;
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly isInitial: boolean;
  readonly entry: readonly string[];
  readonly exit: readonly string[];
  /** What works while the state lasts: ports and child actors, by their ids. */
  readonly invokes: readonly { readonly id: string; readonly source: string }[];
  readonly transitions: readonly Transition[];
  readonly states: readonly State[];
}

/** Stands for a value that is only known while the machine runs. */
const unknown: unknown = new Proxy(() => unknown, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => '' : key === Symbol.iterator ? [].values : unknown),
  apply: () => unknown,
});

const isKnown = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '';

/** The fixed part of what a guard or an action is given: `validation` of `{ task: event.task, at: 'validation' }`. */
const fixedOf = (params: unknown): readonly string[] => {
  if (typeof params !== 'function') return isKnown(params) ? [String(params)] : valuesOf(params);
  try {
    // What is worked out from the event is no fixed part: only keys that are written down count.
    return valuesOf(params({ event: unknown, context: unknown }), (key) =>
      new RegExp(`\\b${key}\\b`).test(`${params}`),
    );
  } catch {
    return [];
  }
};

const valuesOf = (given: unknown, counts: (key: string) => boolean = () => true): readonly string[] =>
  typeof given === 'object' && given !== null
    ? Object.entries(given).flatMap(([key, value]) => (isKnown(value) && counts(key) ? [String(value)] : []))
    : [];

const isNamed = (value: unknown): value is { type: string; params?: unknown } =>
  (typeof value === 'object' || typeof value === 'function') && value !== null && 'type' in value;

/** Guards put together (`and`, `or`, `not`) are functions that carry their parts. */
const guardOf = (guard: unknown): string | null => {
  if (guard === undefined || guard === null) return null;
  if (typeof guard === 'string') return guard;
  if (typeof guard === 'function' && 'check' in guard) {
    const parts = 'guards' in guard && Array.isArray(guard.guards) ? guard.guards.map(guardOf) : [];
    const joint = /and/i.test(String(guard.check)) ? ' and ' : ' or ';
    return parts.length === 1 ? `not ${parts[0]}` : parts.join(joint);
  }
  if (isNamed(guard)) return [guard.type, ...fixedOf(guard.params)].join(' ');
  return 'if';
};

interface BuiltAction {
  readonly type: string;
  readonly assignment?: unknown;
  readonly to?: unknown;
  readonly event?: unknown;
}

const typeOf = (value: unknown): string | null =>
  typeof value === 'string' ? value : isNamed(value) && typeof value.type === 'string' ? value.type : null;

/** What an action without a name of its own is about: the facts it remembers, whom it tells, what it says. */
const subjectOf = ({ assignment, to, event }: BuiltAction): readonly string[] => {
  if (typeof assignment === 'object' && assignment !== null) return [Object.keys(assignment).join(', ')];
  return [typeOf(to), typeOf(event)].filter((name) => name !== null);
};

const actionOf = (action: unknown): string => {
  if (typeof action === 'string') return action;
  if (!isNamed(action)) return 'do';
  if (action.type.startsWith('xstate.'))
    return [action.type.slice('xstate.'.length), ...subjectOf(action as BuiltAction)].join(' ');
  return [action.type, ...fixedOf(action.params)].join(' ');
};

/** The clock that a delay winds up and stops is said by the delay itself. */
const isClockwork = (action: unknown): boolean =>
  isNamed(action) &&
  (('id' in action && String(action.id).startsWith('xstate.after.')) ||
    ('sendId' in action && String(action.sendId).startsWith('xstate.after.')));

const actionsOf = (actions: readonly unknown[]): readonly string[] =>
  actions.filter((action) => !isClockwork(action)).map(actionOf);

const finished = 'xstate.done.state.';

/** What an event of a machine is, by its type. */
export const causeOf = (type: string): Cause => {
  if (type === '') return { kind: 'always' };
  const [, answer, port = ''] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(type) ?? [];
  if (answer) return { kind: answer === 'done' ? 'answered' : 'failed', port };
  if (type.startsWith(finished)) return { kind: 'finished', state: type.slice(finished.length) };
  const delay = /^xstate\.after\.([^.]+)\./.exec(type)?.[1];
  return delay ? { kind: 'after', delay } : { kind: 'event', event: type };
};

const transitionOf = (transition: AnyTransitionDefinition, rank: number): Transition => ({
  name: nameOf(transition),
  cause: causeOf(transition.eventType),
  guard: guardOf(transition.guard),
  targets: (transition.target ?? []).map(({ id }) => id),
  actions: actionsOf(transition.actions),
  rank,
  isRefused: transition.target === undefined && transition.actions.length === 0,
});

const stateOf = (node: AnyStateNode, isInitial: boolean): State => {
  const initial = node.type === 'compound' ? node.initial.target : [];
  return {
    id: node.id,
    key: node.key,
    kind: node.type,
    isInitial,
    entry: actionsOf(node.entry),
    exit: actionsOf(node.exit),
    invokes: node.invoke.map(({ id, src }) => ({ id, source: String(src) })),
    transitions: [...node.transitions.values(), node.always ?? []].flatMap((some) => some.map(transitionOf)),
    states: Object.values<AnyStateNode>(node.states).map((child) => stateOf(child, initial.includes(child))),
  };
};

/** A machine as plain values: what is drawn, listed and searched. */
export const chartOf = (machine: AnyStateMachine): State => stateOf(machine.root, false);

/** A state and all that are in it, from the outside in. */
export const statesOf = (state: State): readonly State[] => [state, ...state.states.flatMap(statesOf)];

/** The names of the guards in a condition, each as it stands there: `not late`, `stands validation`. */
export const guardsIn = (condition: string): readonly { readonly name: string; readonly text: string }[] =>
  condition.split(/ (?:and|or) /).map((text) => ({ text, name: text.replace(/^not /, '').split(' ')[0] ?? text }));
