import type { ActorRefLike, AnyTransitionDefinition, InspectionEvent, Snapshot } from 'xstate';
import { type Masked, masked, maskedName } from './masked.ts';
import { nameOf } from './transition-name.ts';

export interface SeenActor {
  readonly key: string;
  readonly name: string;
  /** The machine's id; null for a port. */
  readonly machine: string | null;
  readonly parent: string | null;
  readonly status: Snapshot<unknown>['status'];
  /** State of its machine: `signedIn.checked`, regions separated by commas. */
  readonly state: string;
  readonly context: Masked;
}

export interface SeenEvent {
  readonly number: number;
  /** Milliseconds since the start. */
  readonly atMs: number;
  readonly to: string;
  readonly from: string | null;
  readonly type: string;
  readonly payload: Masked;
  /** What the event did: `session.signingIn | xstate.done.actor.signIn | 0`. Empty: it was ignored. */
  readonly transitions: readonly string[];
  readonly before: string;
  readonly after: string;
}

export interface Seen {
  readonly actors: readonly SeenActor[];
  readonly events: readonly SeenEvent[];
}

const maxEvents = 2_000;
/** Maximum number of ended ports; older ones are dropped. */
const maxEnded = 50;

/** Formats a state value in one line. */
export const stateText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, below]) => {
      const inside = stateText(below);
      return inside === '' ? name : inside.includes(', ') ? `${name}(${inside})` : `${name}.${inside}`;
    })
    .join(', ');
};

const keyOf = (actor: ActorRefLike | undefined): string | null =>
  actor && 'sessionId' in actor ? String(actor.sessionId) : null;

const machineOf = (actor: ActorRefLike): string | null => {
  const logic: unknown = 'logic' in actor ? actor.logic : null;
  return typeof logic === 'object' && logic !== null && 'root' in logic && 'id' in logic ? String(logic.id) : null;
};

/**
 * Records inspection events of actors (`inspect` of `createActor`). Everything is masked before it is stored. `now`: milliseconds of any
 * origin.
 */
export const observe = (now: () => number = () => performance.now()) => {
  const began = now();
  const actors = new Map<string, SeenActor>();
  let events: readonly SeenEvent[] = [];
  let count = 0;
  let paused = false;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const forgetEnded = () => {
    const ended = [...actors.values()].filter(({ status }) => status !== 'active');
    for (const { key } of ended.slice(0, Math.max(0, ended.length - maxEnded))) actors.delete(key);
  };
  const meet = (actor: ActorRefLike): SeenActor => {
    const key = keyOf(actor) ?? '?';
    const known = actors.get(key);
    if (known) return known;
    const parent = '_parent' in actor ? keyOf(actor._parent as ActorRefLike | undefined) : null;
    const machine = machineOf(actor);
    // The root machine has no name of its own.
    const id = parent === null ? (machine ?? key) : 'id' in actor ? String(actor.id) : key;
    const seen: SeenActor = {
      key,
      parent,
      name: maskedName(id),
      machine,
      status: 'active',
      state: '',
      context: null,
    };
    actors.set(key, seen);
    return seen;
  };
  const record = (event: SeenEvent) => {
    events = [...events.slice(-(maxEvents - 1)), event];
  };
  const stand = (actor: ActorRefLike, snapshot: Snapshot<unknown>): SeenActor => {
    const was = meet(actor);
    const { value, context } = snapshot as { value?: unknown; context?: unknown };
    const state = value === undefined ? snapshot.status : stateText(value);
    const next = { ...was, status: snapshot.status, state, context: paused ? was.context : masked(context) };
    actors.set(was.key, next);
    if (next.status !== 'active') forgetEnded();
    return next;
  };
  return {
    inspect: (inspected: InspectionEvent): void => {
      const { actorRef } = inspected;
      if (inspected.type === '@xstate.actor') {
        meet(actorRef);
      } else if (inspected.type === '@xstate.event') {
        if (paused) return;
        const { state } = meet(actorRef);
        const { type, ...payload } = inspected.event;
        count += 1;
        record({
          number: count,
          atMs: now() - began,
          to: keyOf(actorRef) ?? '?',
          from: keyOf(inspected.sourceRef),
          type: maskedName(type),
          payload: masked(payload),
          transitions: [],
          before: state,
          after: state,
        });
      } else if (inspected.type === '@xstate.snapshot' || inspected.type === '@xstate.microstep') {
        const { state: after } = stand(actorRef, inspected.snapshot);
        const taken =
          inspected.type === '@xstate.microstep'
            ? (inspected._transitions as readonly AnyTransitionDefinition[]).map(nameOf)
            : [];
        const key = keyOf(actorRef);
        // The latest event of this actor is the one being processed.
        const at = paused ? -1 : events.findLastIndex(({ to }) => to === key);
        const event = events[at];
        if (event) events = events.with(at, { ...event, after, transitions: [...event.transitions, ...taken] });
      }
      notify();
    },
    seen: (): Seen => ({ actors: [...actors.values()], events }),
    isPaused: () => paused,
    pause: (isPaused: boolean) => {
      paused = isPaused;
      notify();
    },
    clear: () => {
      events = [];
      notify();
    },
    /** Subscribes to changes. Returns the function that unsubscribes. */
    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export type Observed = ReturnType<typeof observe>;
