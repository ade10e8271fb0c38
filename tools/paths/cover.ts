import type { Modelled } from '../../tests/machines/models/index.ts';
import { alphabetOf, type Model, pathsOf, serialized } from '../../tests/paths.ts';
import { type Cover, goalsOf, reachedBy } from './goals.ts';
import { numberOf } from './identity.ts';
import { eventsOf, type Step, stepperOf } from './steps.ts';

/** A path for a tester. */
export interface TestPath {
  /** Computed from the steps. */
  readonly number: string;
  readonly model: Model;
  /** Goals of the path; the last step reaches the first of them. None: a random walk. */
  readonly goals: readonly string[];
  /** The first is the initial state, before any event. */
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
  readonly events: readonly string[];
  readonly ranks: readonly number[];
  readonly steps: readonly Step[];
}

/** Of two paths of equal length, the one with earlier events in the model comes first, so appended events change no path. */
const shorterFirst = (one: Candidate, other: Candidate): number => {
  const difference = one.events.length - other.events.length || one.order - other.order;
  if (difference !== 0) return difference;
  const at = one.ranks.findIndex((rank, index) => rank !== other.ranks[index]);
  if (at !== -1) return (one.ranks[at] ?? 0) - (other.ranks[at] ?? 0);
  return one.events.join('\n') < other.events.join('\n') ? -1 : 1;
};

/** Returns the place of an event in the model; replies that depend on the request come last. */
const rankIn = (model: Model, raised: readonly string[]): ((event: string) => number) => {
  const alphabet = alphabetOf(model, raised).map(serialized);
  const ranks = new Map(alphabet.map((event, index) => [event, index]));
  return (event) => ranks.get(event) ?? alphabet.length;
};

/** Returns the shortest path to every goal. */
const shortestPaths = ({ models, raised }: Modelled, cover: Cover): ReadonlyMap<string, Candidate> => {
  const best = new Map<string, Candidate>();
  for (const [order, model] of models.entries()) {
    const stepper = stepperOf(model);
    const rank = rankIn(model, raised);
    const seen = new Map<string, Step>();
    for (const path of pathsOf(model, raised)) {
      const events = eventsOf(path.steps);
      const steps: Step[] = [];
      for (const [index, { event }] of path.steps.entries()) {
        const key = events.slice(0, index).join('\n');
        const before = steps.at(-1);
        const known = seen.get(key);
        const step = known ?? (before ? stepper.next(before.state, event) : stepper.start());
        steps.push(step);
        if (known) continue;
        seen.set(key, step);
        const walked = events.slice(0, index);
        const candidate = { model, order, events: walked, ranks: walked.map(rank), steps: steps.slice() };
        for (const goal of reachedBy(cover, steps)) {
          const other = best.get(goal);
          if (!other || shorterFirst(candidate, other) < 0) best.set(goal, candidate);
        }
      }
    }
  }
  return best;
};

const isPrefixOf = (one: Candidate, other: Candidate): boolean =>
  one.model === other.model &&
  one.events.length < other.events.length &&
  one.events.every((event, index) => event === other.events[index]);

/** Returns the shortest path to each goal of a machine, without paths that are a prefix of another. */
export const pathsThatCover = (modelled: Modelled, cover: Cover): Covered => {
  const shortest = shortestPaths(modelled, cover);
  const goals = goalsOf(cover, modelled.machine, new Set(shortest.keys()));
  const byNumber = new Map<string, { candidate: Candidate; goals: string[] }>();
  for (const goal of goals) {
    const candidate = shortest.get(goal);
    if (!candidate) continue;
    const number = numberOf(modelled.id, candidate.model.name, candidate.events);
    const entry = byNumber.get(number) ?? { candidate, goals: [] };
    entry.goals.push(goal);
    byNumber.set(number, entry);
  }
  const all = [...byNumber.values()];
  for (const [number, entry] of byNumber) {
    const longer = all.find((other) => isPrefixOf(entry.candidate, other.candidate));
    if (!longer) continue;
    longer.goals.push(...entry.goals);
    byNumber.delete(number);
    all.splice(all.indexOf(entry), 1);
  }
  const paths = [...byNumber].map(([number, { candidate, goals }]) => ({
    number,
    goals,
    model: candidate.model,
    steps: candidate.steps,
  }));
  return { paths, goals, unreached: goals.filter((goal) => !shortest.has(goal)) };
};
