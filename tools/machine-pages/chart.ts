import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { nameOf } from '../../tests/paths.ts';

/** What starts a transition. */
export type Cause =
  | { readonly kind: 'event'; readonly event: string }
  | { readonly kind: 'done' | 'failed'; readonly port: string }
  | { readonly kind: 'after'; readonly delay: string }
  | { readonly kind: 'finished'; readonly state: string }
  | { readonly kind: 'always' };

/** A transition of a state. */
export interface Transition {
  /** Name in tests and paths. */
  readonly name: string;
  readonly cause: Cause;
  /** Guard with its fixed parameters, `isAtStep validation`; null without a guard. */
  readonly guard: string | null;
  /** Ids of states; empty for a transition without target. */
  readonly targets: readonly string[];
  readonly actions: readonly string[];
  /** Index among the transitions of the same event: the first whose guard holds is taken. */
  readonly rank: number;
  /** The event is rejected here, although a parent state would accept it. */
  readonly isRejected: boolean;
}

/** A state as plain values. */
export interface State {
  readonly id: string;
  readonly key: string;
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly isInitial: boolean;
  readonly entry: readonly string[];
  readonly exit: readonly string[];
  /** Invoked ports and child actors. */
  readonly invokes: readonly { readonly id: string; readonly source: string }[];
  readonly transitions: readonly Transition[];
  readonly states: readonly State[];
}

/** Replaces values that are only known while the machine runs. */
const unknown: unknown = new Proxy(() => unknown, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => '' : key === Symbol.iterator ? [].values : unknown),
  apply: () => unknown,
});

const isKnown = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '';

/** Returns the fixed parameters of a guard or an action: `validation` of `{ task: event.task, at: 'validation' }`. */
const fixedOf = (params: unknown): readonly string[] => {
  if (typeof params !== 'function') return isKnown(params) ? [String(params)] : valuesOf(params);
  try {
    // Values computed from the event are not fixed: only keys that are written in the source count.
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

/** Combined guards (`and`, `or`, `not`) are functions with their parts as a property. */
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

/** Returns what an unnamed action changes or sends: assigned keys, receiver and event. */
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

/** Returns whether an action starts or stops the timer of a delay, which the delay already shows. */
const isTimer = (action: unknown): boolean =>
  isNamed(action) &&
  (('id' in action && String(action.id).startsWith('xstate.after.')) ||
    ('sendId' in action && String(action.sendId).startsWith('xstate.after.')));

const actionsOf = (actions: readonly unknown[]): readonly string[] =>
  actions.filter((action) => !isTimer(action)).map(actionOf);

const finished = 'xstate.done.state.';

/** Returns the cause that an event type stands for. */
export const causeOf = (type: string): Cause => {
  if (type === '') return { kind: 'always' };
  const [, reply, port = ''] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(type) ?? [];
  if (reply) return { kind: reply === 'done' ? 'done' : 'failed', port };
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
  isRejected: transition.target === undefined && transition.actions.length === 0,
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

/** Returns a machine as plain values. */
export const chartOf = (machine: AnyStateMachine): State => stateOf(machine.root, false);

/** Returns a state and all states in it. */
export const statesOf = (state: State): readonly State[] => [state, ...state.states.flatMap(statesOf)];

/** Returns the guards of a condition: name, and text such as `not late` or `isAtStep validation`. */
export const guardsIn = (condition: string): readonly { readonly name: string; readonly text: string }[] =>
  condition.split(/ (?:and|or) /).map((text) => ({ text, name: text.replace(/^not /, '').split(' ')[0] ?? text }));
