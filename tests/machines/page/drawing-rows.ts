import type { Cause, State, Transition } from './chart.ts';

/** A line of writing in the box of a state. */
export interface Row {
  readonly text: string;
  /** Where it leads, as it is written at the end of the row; null when the state stays. */
  readonly leadsTo: string | null;
  readonly kind: 'runs' | 'takes' | 'refuses';
  /** Ids of states. */
  readonly targets: readonly string[];
}

/** 5000 as `5 s`, 300 as `300 ms`, 90000 as `1 min 30 s`. */
export const durationOf = (ms: number): string => {
  if (ms < 1_000 || ms % 100 !== 0) return `${ms} ms`;
  const units: readonly (readonly [number, string])[] = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
  ];
  const parts: string[] = [];
  let left = ms;
  for (const [length, unit] of units) {
    if (left >= length) parts.push(`${Math.floor(left / length)} ${unit}`);
    left %= length;
  }
  return [...parts, ...(left > 0 ? [`${left / 1_000} s`] : [])].join(' ');
};

export type Delays = Readonly<Record<string, unknown>>;

const delayOf = (name: string, delays: Delays): string => {
  const known = /^\d+$/.test(name) ? Number(name) : delays[name];
  if (typeof known !== 'number') return name;
  return String(known) === name ? durationOf(known) : `${name} (${durationOf(known)})`;
};

/** A cause in short: `parseImport done`, `after retryDelay (5 s)`. */
export const causeText = (cause: Cause, delays: Delays): string => {
  switch (cause.kind) {
    case 'event':
      return cause.event;
    case 'answered':
      return `${cause.port} done`;
    case 'failed':
      return `${cause.port} failed`;
    case 'after':
      return `after ${delayOf(cause.delay, delays)}`;
    case 'finished':
      return 'all inside done';
    case 'always':
      return 'always';
  }
};

/** How a target is called from where it is aimed at: by its own name within the same state, else with what it is in. */
const targetText = (from: State, target: string): string => {
  const [here, there] = [from.id.split('.'), target.split('.')];
  if (from.id === target) return 'itself';
  let alike = 0;
  while (alike < here.length - 1 && here[alike] === there[alike]) alike += 1;
  return there.slice(Math.max(1, Math.min(alike, there.length - 1))).join('.');
};

const rowOf = (state: State, { cause, guard, rank, targets, isRefused }: Transition, delays: Delays): Row => {
  const start = rank > 0 ? '  else' : causeText(cause, delays);
  return {
    text: guard ? `${start} [${guard}]` : start,
    leadsTo: isRefused
      ? 'refused'
      : targets.length > 0
        ? targets.map((one) => targetText(state, one)).join(' + ')
        : null,
    kind: isRefused ? 'refuses' : 'takes',
    targets,
  };
};

/** What is written in the box of a state below its name. */
export const rowsOf = (state: State, delays: Delays): readonly Row[] => [
  ...state.invokes.map(({ id }): Row => ({ text: `runs ${id}`, leadsTo: null, kind: 'runs', targets: [] })),
  ...state.transitions.map((transition) => rowOf(state, transition, delays)),
];
