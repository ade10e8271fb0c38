import { type AnyMachineSnapshot, type AnyStateMachine, getInitialSnapshot, getNextSnapshot } from 'xstate';
import { picked, randomFrom } from '../../tools/paths/random.ts';

/** An event of a model and the state that it leads to. */
export interface WalkStep {
  readonly event: string;
  readonly state: string;
}

interface Place {
  readonly snapshot: AnyMachineSnapshot;
  readonly state: string;
}

const placeOf = (snapshot: AnyMachineSnapshot): Place => {
  if (typeof snapshot.value !== 'string') throw new Error(`A journey is flat; "${snapshot.machine.id}" is not`);
  return { snapshot, state: snapshot.value };
};

const beginningOf = (machine: AnyStateMachine): Place => placeOf(getInitialSnapshot(machine));

const eventsAt = (machine: AnyStateMachine, { snapshot }: Place): readonly string[] =>
  machine.events.filter((type) => snapshot.can({ type }));

const after = (machine: AnyStateMachine, { snapshot }: Place, type: string): Place =>
  placeOf(getNextSnapshot(machine, snapshot, { type }));

const stepOf = (event: string, { state }: Place): WalkStep => ({ event, state });
const nameOf = ({ state }: Place, event: string): string => `${state} | ${event}`;

/** Returns the shortest path to a step for which `isThere` holds; null if there is none. */
const wayTo = (
  machine: AnyStateMachine,
  from: Place,
  isThere: (before: Place, event: string, place: Place) => boolean,
): readonly WalkStep[] | null => {
  const seen = new Set([from.state]);
  let ways: readonly { place: Place; steps: readonly WalkStep[] }[] = [{ place: from, steps: [] }];
  while (ways.length > 0) {
    const longer = ways.flatMap(({ place, steps }) =>
      eventsAt(machine, place).map((event) => {
        const next = after(machine, place, event);
        return { place: next, steps: [...steps, stepOf(event, next)], isIt: isThere(place, event, next) };
      }),
    );
    const found = longer.find(({ isIt }) => isIt);
    if (found) return found.steps;
    ways = longer.filter(({ place }) => {
      if (seen.has(place.state)) return false;
      seen.add(place.state);
      return true;
    });
  }
  return null;
};

const isHome = ({ snapshot }: Place): boolean => snapshot.hasTag('home');

/** Returns the path to the nearest state tagged `home`, in which the next walk can begin. */
const wayHome = (machine: AnyStateMachine, from: Place): readonly WalkStep[] => {
  if (isHome(from)) return [];
  const way = wayTo(machine, from, (_before, _event, place) => isHome(place));
  if (!way) throw new Error(`No path leads from "${from.state}" to a state tagged home`);
  return way;
};

/** Returns a walk that takes every transition, each time the nearest one not taken yet, and ends in a state tagged `home`. */
export const wholeWalk = (machine: AnyStateMachine): readonly WalkStep[] => {
  const taken = new Set<string>();
  let place = beginningOf(machine);
  const steps: WalkStep[] = [];
  const go = (way: readonly WalkStep[]) => {
    for (const { event } of way) {
      taken.add(nameOf(place, event));
      place = after(machine, place, event);
      steps.push(stepOf(event, place));
    }
  };
  for (;;) {
    const way = wayTo(machine, place, (before, event) => !taken.has(nameOf(before, event)));
    if (!way) break;
    go(way);
  }
  return [...steps, ...wayHome(machine, place)];
};

/** Returns a random walk of `length` steps and the path from its end to a state tagged `home`. */
export const randomWalk = (machine: AnyStateMachine, seed: number, length: number): readonly WalkStep[] => {
  const random = randomFrom(seed);
  let place = beginningOf(machine);
  const steps: WalkStep[] = [];
  while (steps.length < length) {
    const [first, ...others] = eventsAt(machine, place);
    if (first === undefined) break;
    const event = picked(random, [first, ...others]);
    place = after(machine, place, event);
    steps.push(stepOf(event, place));
  }
  return [...steps, ...wayHome(machine, place)];
};

/** Returns the state in which every walk begins. */
export const firstState = (machine: AnyStateMachine): string => beginningOf(machine).state;

/** Returns the command that repeats a random walk. */
export const commandOf = (journey: string, seed: number, steps: number): string =>
  `npm run walk -- --journey ${journey} --seed ${seed} --steps ${steps}`;
