import { equivalent } from './equivalent.ts';
import type { Mutant } from './mutation.ts';

/** Result of a mutant. */
export interface Verdict {
  readonly mutant: Mutant;
  /** The test that failed; null when none did. */
  readonly killedBy: string | null;
}

export interface MachineScore {
  readonly machine: string;
  readonly mutants: number;
  readonly killed: number;
  readonly equivalent: number;
  /** Killed mutants of those that are not equivalent, rounded down. */
  readonly percent: number;
  readonly survivors: readonly string[];
  /** Listed as equivalent, but killed. */
  readonly wronglyEquivalent: readonly string[];
}

/** Percentage of mutants that must be killed in each machine. */
export const requiredPercent = 95;

export const scoreOf = (machine: string, verdicts: readonly Verdict[]): MachineScore => {
  const mine = verdicts.filter(({ mutant }) => mutant.machine === machine);
  const counted = mine.filter(({ mutant }) => equivalent[mutant.id] === undefined);
  const killed = counted.filter(({ killedBy }) => killedBy !== null).length;
  const idsOf = (some: readonly Verdict[]) => some.map(({ mutant }) => mutant.id);
  return {
    machine,
    mutants: mine.length,
    killed,
    equivalent: mine.length - counted.length,
    percent: counted.length === 0 ? 100 : Math.floor((1_000 * killed) / counted.length) / 10,
    survivors: idsOf(counted.filter(({ killedBy }) => killedBy === null)),
    wronglyEquivalent: idsOf(
      mine.filter(({ mutant, killedBy }) => equivalent[mutant.id] !== undefined && killedBy !== null),
    ),
  };
};

const total = (scores: readonly MachineScore[]) => {
  const sum = (of: 'mutants' | 'killed' | 'equivalent') => scores.reduce((count, score) => count + score[of], 0);
  const counted = sum('mutants') - sum('equivalent');
  const percent = counted === 0 ? 100 : Math.floor((1_000 * sum('killed')) / counted) / 10;
  return { machine: 'all', mutants: sum('mutants'), killed: sum('killed'), equivalent: sum('equivalent'), percent };
};

/** Returns a table with a row for each machine. */
export const tableOf = (scores: readonly MachineScore[]): string =>
  [
    ['machine', 'mutants', 'killed', 'equivalent', 'survived', 'percent'],
    ...[...scores, ...(scores.length > 1 ? [total(scores)] : [])].map((score) => [
      score.machine,
      score.mutants,
      score.killed,
      score.equivalent,
      score.mutants - score.killed - score.equivalent,
      score.percent.toFixed(1),
    ]),
  ]
    .map(([name, ...numbers]) => `${String(name).padEnd(16)}${numbers.map((one) => String(one).padStart(12)).join('')}`)
    .join('\n');

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
};

/** Returns a mutant as text: id, place, kind and change. */
export const descriptionOf = ({ id, file, line, kind, where, original, replacement }: Mutant): string =>
  `${id}  ${file}:${line}  ${kind}: ${where}\n    ${oneLine(original)}  ->  ${oneLine(replacement) || '(nothing)'}`;
