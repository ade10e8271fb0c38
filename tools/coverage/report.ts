import type { AnyStateMachine } from 'xstate';
import { nodesOf, transitionsOf } from '../../tests/paths.ts';
import type { Exception } from './exceptions.ts';
import { possiblePairs } from './possible-pairs.ts';
import { type Kind, kinds, type Walked, type WalkedFile } from './record.ts';

/** Everything of a machine that can be covered. */
export type Chart = Walked & { readonly id: string };

export const chartOf = (machine: AnyStateMachine): Chart => ({
  id: machine.id,
  states: nodesOf(machine).map(({ id }) => id),
  transitions: transitionsOf(machine),
  pairs: possiblePairs(machine),
});

export const aspects = ['states', 'transitions', 'pairs'] as const;
type Aspect = (typeof aspects)[number];

/** Number of all, covered by each kind, and covered by any. */
export type Counts = Readonly<Record<Kind | 'of' | 'any', number>>;

export interface Line {
  readonly machine: string;
  readonly counts: Readonly<Record<Aspect, Counts>>;
  /** Not covered by the required kind. */
  readonly missing: { readonly states: readonly string[]; readonly transitions: readonly string[] };
}

const walkedBy = (files: readonly WalkedFile[], { id, ...chart }: Chart, aspect: Aspect, kind: Kind) => {
  const ofChart = new Set(chart[aspect]);
  const names = files.filter((file) => file.kind === kind).flatMap((file) => file.machines[id]?.[aspect] ?? []);
  return new Set(names.filter((name) => ofChart.has(name)));
};

/** Returns a line of the report; `required` is the kind that must cover everything. */
export const lineOf = (files: readonly WalkedFile[], chart: Chart, required: Kind): Line => {
  const countsOf = (aspect: Aspect): Counts => {
    const walked = kinds.map((kind) => [kind, walkedBy(files, chart, aspect, kind)] as const);
    return {
      of: new Set(chart[aspect]).size,
      ...(Object.fromEntries(walked.map(([kind, names]) => [kind, names.size])) as Record<Kind, number>),
      any: new Set(walked.flatMap(([, names]) => [...names])).size,
    };
  };
  const missing = (aspect: 'states' | 'transitions') => {
    const walked = walkedBy(files, chart, aspect, required);
    return chart[aspect].filter((name) => !walked.has(name));
  };
  return {
    machine: chart.id,
    counts: { states: countsOf('states'), transitions: countsOf('transitions'), pairs: countsOf('pairs') },
    missing: { states: missing('states'), transitions: missing('transitions') },
  };
};

/** Returns errors as sentences: uncovered states and transitions, and unneeded exceptions. */
export const errorsOf = (lines: readonly Line[], exceptions: readonly Exception[]): readonly string[] => {
  const missing = lines.flatMap(({ machine, missing }) => [
    ...missing.states.map((state) => `${machine}: the state "${state}" is never entered`),
    ...missing.transitions
      .filter((name) => !exceptions.some((one) => one.machine === machine && one.transition === name))
      .map((name) => `${machine}: the transition "${name}" is never taken`),
  ]);
  const unneeded = exceptions.filter(
    ({ machine, transition }) =>
      !lines.some((line) => line.machine === machine && line.missing.transitions.includes(transition)),
  );
  return [
    ...missing,
    ...unneeded.map(
      ({ machine, transition }) => `${machine}: the exception "${transition}" is taken or does not exist`,
    ),
  ];
};

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${Math.floor((100 * part) / whole)} %`);

/** Returns one aspect of every machine as a text table. */
export const tableOf = (lines: readonly Line[], aspect: Aspect): string => {
  const rows = [
    [aspect, 'of', ...kinds, 'any', ''],
    ...lines.map(({ machine, counts }) => {
      const { of, any } = counts[aspect];
      return [machine, ...[of, ...kinds.map((kind) => counts[aspect][kind]), any].map(String), percent(any, of)];
    }),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))))
    .map((cells) => cells.join('  ').trimEnd())
    .join('\n');
};
