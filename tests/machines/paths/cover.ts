import { alphabetOf, type Model, pathsOf, serialized } from '../../paths.ts';
import type { Modelled } from '../models/index.ts';
import { type Cover, inOrder, reachedBy } from './goals.ts';
import { numberOf } from './identity.ts';
import { type Step, stepperOf, wayOf } from './steps.ts';

/** A path for a tester. */
export interface TestPath {
  /** Made from its steps: the same from run to run. */
  readonly number: string;
  readonly model: Model;
  /** What it was made for; the first is what its last step reaches. None: a walk at random. */
  readonly goals: readonly string[];
  /** The first is the beginning: nothing has happened yet. */
  readonly steps: readonly Step[];
}

export interface Covered {
  readonly paths: readonly TestPath[];
  readonly goals: readonly string[];
  /** Goals that no path reaches. */
  readonly unreached: readonly string[];
}

interface Candidate {
  readonly model: Model;
  readonly order: number;
  readonly way: readonly string[];
  readonly ranks: readonly number[];
  readonly steps: readonly Step[];
}

/** Of two as long as each other, the one whose events stand earlier in the model: what is added to its list moves nothing. */
const shorterFirst = (one: Candidate, other: Candidate): number => {
  const difference = one.way.length - other.way.length || one.order - other.order;
  if (difference !== 0) return difference;
  const at = one.ranks.findIndex((rank, index) => rank !== other.ranks[index]);
  if (at !== -1) return (one.ranks[at] ?? 0) - (other.ranks[at] ?? 0);
  return one.way.join('\n') < other.way.join('\n') ? -1 : 1;
};

/** Where an event stands in the model; what a port answers by what it was asked stands behind all others. */
const rankIn = (model: Model, raised: readonly string[]): ((event: string) => number) => {
  const alphabet = alphabetOf(model, raised).map(serialized);
  const ranks = new Map(alphabet.map((event, index) => [event, index]));
  return (event) => ranks.get(event) ?? alphabet.length;
};

/** The shortest way to everything that a cover can reach. */
const shortestWays = ({ models, raised }: Modelled, cover: Cover): ReadonlyMap<string, Candidate> => {
  const best = new Map<string, Candidate>();
  for (const [order, model] of models.entries()) {
    const stepper = stepperOf(model);
    const rank = rankIn(model, raised);
    const seen = new Map<string, Step>();
    for (const path of pathsOf(model, raised)) {
      const way = wayOf(path.steps);
      const steps: Step[] = [];
      for (const [index, { event }] of path.steps.entries()) {
        const key = way.slice(0, index).join('\n');
        const before = steps.at(-1);
        const known = seen.get(key);
        const step = known ?? (before ? stepper.next(before.state, event) : stepper.begin());
        steps.push(step);
        if (known) continue;
        seen.set(key, step);
        const begun = way.slice(0, index);
        const candidate = { model, order, way: begun, ranks: begun.map(rank), steps: steps.slice() };
        for (const goal of reachedBy(cover, steps)) {
          const other = best.get(goal);
          if (!other || shorterFirst(candidate, other) < 0) best.set(goal, candidate);
        }
      }
    }
  }
  return best;
};

const isBeginningOf = (one: Candidate, other: Candidate): boolean =>
  one.model === other.model &&
  one.way.length < other.way.length &&
  one.way.every((event, index) => event === other.way[index]);

/** Paths of a machine that reach every goal of a cover: the shortest to each, without those that are the beginning of another. */
export const pathsThatCover = (modelled: Modelled, cover: Cover): Covered => {
  const ways = shortestWays(modelled, cover);
  const goals = inOrder(cover, modelled.machine, new Set(ways.keys()));
  const byNumber = new Map<string, { candidate: Candidate; goals: string[] }>();
  for (const goal of goals) {
    const candidate = ways.get(goal);
    if (!candidate) continue;
    const number = numberOf(modelled.id, candidate.model.name, candidate.way);
    const entry = byNumber.get(number) ?? { candidate, goals: [] };
    entry.goals.push(goal);
    byNumber.set(number, entry);
  }
  const all = [...byNumber.values()];
  for (const [number, entry] of byNumber) {
    const longer = all.find((other) => isBeginningOf(entry.candidate, other.candidate));
    if (!longer) continue;
    longer.goals.push(...entry.goals);
    byNumber.delete(number);
    all.splice(all.indexOf(entry), 1);
  }
  const paths = [...byNumber].map(([number, { candidate, goals }]) => ({
    ...{ number, goals, model: candidate.model, steps: candidate.steps },
  }));
  return { paths, goals, unreached: goals.filter((goal) => !ways.has(goal)) };
};
