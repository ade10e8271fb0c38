import type { Fault } from './draft.ts';
import { equivalent } from './equivalent.ts';

/** What became of a fault. */
export interface Verdict {
  readonly fault: Fault;
  /** The test that noticed it; null when none did. */
  readonly caughtBy: string | null;
}

export interface MachineScore {
  readonly machine: string;
  readonly faults: number;
  readonly caught: number;
  readonly equivalent: number;
  /** Of those that change anything, rounded down. */
  readonly percent: number;
  readonly survivors: readonly string[];
  /** Said to change nothing, and noticed all the same. */
  readonly wronglyListed: readonly string[];
}

/** So many of a hundred faults must be caught, in each machine. */
export const least = 95;

export const scoreOf = (machine: string, verdicts: readonly Verdict[]): MachineScore => {
  const mine = verdicts.filter(({ fault }) => fault.machine === machine);
  const counted = mine.filter(({ fault }) => equivalent[fault.id] === undefined);
  const caught = counted.filter(({ caughtBy }) => caughtBy !== null).length;
  const idsOf = (some: readonly Verdict[]) => some.map(({ fault }) => fault.id);
  return {
    ...{ machine, faults: mine.length, caught, equivalent: mine.length - counted.length },
    percent: counted.length === 0 ? 100 : Math.floor((1_000 * caught) / counted.length) / 10,
    survivors: idsOf(counted.filter(({ caughtBy }) => caughtBy === null)),
    wronglyListed: idsOf(mine.filter(({ fault, caughtBy }) => equivalent[fault.id] !== undefined && caughtBy !== null)),
  };
};

const total = (scores: readonly MachineScore[]) => {
  const sum = (of: 'faults' | 'caught' | 'equivalent') => scores.reduce((count, score) => count + score[of], 0);
  const counted = sum('faults') - sum('equivalent');
  const percent = counted === 0 ? 100 : Math.floor((1_000 * sum('caught')) / counted) / 10;
  return { machine: 'all', faults: sum('faults'), caught: sum('caught'), equivalent: sum('equivalent'), percent };
};

/** A row for each machine. */
export const tableOf = (scores: readonly MachineScore[]): string =>
  [
    ['machine', 'faults', 'caught', 'equivalent', 'survived', 'of 100'],
    ...[...scores, ...(scores.length > 1 ? [total(scores)] : [])].map((score) => [
      score.machine,
      score.faults,
      score.caught,
      score.equivalent,
      score.faults - score.caught - score.equivalent,
      score.percent.toFixed(1),
    ]),
  ]
    .map(([name, ...numbers]) => `${String(name).padEnd(16)}${numbers.map((one) => String(one).padStart(12)).join('')}`)
    .join('\n');

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
};

/** A fault as a person finds it. */
export const described = ({ id, file, line, kind, where, original, instead }: Fault): string =>
  `${id}  ${file}:${line}  ${kind}: ${where}\n    ${oneLine(original)}  ->  ${oneLine(instead) || '(nothing)'}`;
