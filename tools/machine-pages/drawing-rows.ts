import { durationOf } from '../duration.ts';
import type { Cause, State, Transition } from './chart.ts';

/** A line of text in the box of a state. */
export interface Row {
  readonly text: string;
  /** Target, as it is written at the end of the row; null without one. */
  readonly target: string | null;
  readonly kind: 'invoke' | 'transition' | 'rejected';
  /** Ids of states. */
  readonly targets: readonly string[];
}

export type Delays = Readonly<Record<string, unknown>>;

const delayOf = (name: string, delays: Delays): string => {
  const known = /^\d+$/.test(name) ? Number(name) : delays[name];
  if (typeof known !== 'number') return name;
  return String(known) === name ? durationOf(known) : `${name} (${durationOf(known)})`;
};

/** Returns a cause as text: `parseImport done`, `after retryDelay (5 s)`. */
export const causeText = (cause: Cause, delays: Delays): string => {
  switch (cause.kind) {
    case 'event':
      return cause.event;
    case 'done':
      return `${cause.port} done`;
    case 'failed':
      return `${cause.port} failed`;
    case 'after':
      return `after ${delayOf(cause.delay, delays)}`;
    case 'finished':
      return 'all children final';
    case 'always':
      return 'always';
  }
};

/** Returns the name of a target: its key inside the same parent, else with its parents. */
const targetText = (from: State, target: string): string => {
  const [here, there] = [from.id.split('.'), target.split('.')];
  if (from.id === target) return 'itself';
  let shared = 0;
  while (shared < here.length - 1 && here[shared] === there[shared]) shared += 1;
  return there.slice(Math.max(1, Math.min(shared, there.length - 1))).join('.');
};

const rowOf = (state: State, { cause, guard, rank, targets, isRejected }: Transition, delays: Delays): Row => {
  const start = rank > 0 ? '  else' : causeText(cause, delays);
  return {
    text: guard ? `${start} [${guard}]` : start,
    target: isRejected
      ? 'rejected'
      : targets.length > 0
        ? targets.map((one) => targetText(state, one)).join(' + ')
        : null,
    kind: isRejected ? 'rejected' : 'transition',
    targets,
  };
};

/** Returns the rows of a state below its name. */
export const rowsOf = (state: State, delays: Delays): readonly Row[] => [
  ...state.invokes.map(({ id }): Row => ({ text: `invokes ${id}`, target: null, kind: 'invoke', targets: [] })),
  ...state.transitions.map((transition) => rowOf(state, transition, delays)),
];
