import type { AnyEventObject } from 'xstate';
import type { Modelled } from '../../tests/machines/models/index.ts';
import { alphabetOf, type Model } from '../../tests/paths.ts';
import type { TestPath } from './cover.ts';
import { clockOf } from './delays.ts';
import { numberOf } from './identity.ts';
import { picked, randomFrom } from './random.ts';
import { eventsOf, type Step, stepperOf } from './steps.ts';

/** Long enough to repeat some states, short enough to be walked by hand. */
const maxSteps = 20;

const isAny = <One>(all: readonly One[]): all is readonly [One, ...One[]] => all.length > 0;

/** Chooses an event type, then one of its variants, so that a reply with many variants is not more likely than a click. */
const chosenFrom = (random: () => number, possible: readonly AnyEventObject[]): AnyEventObject | null => {
  const types = [...new Set(possible.map(({ type }) => type))];
  if (!isAny(types)) return null;
  const type = picked(random, types);
  const variants = possible.filter((event) => event.type === type);
  return isAny(variants) ? picked(random, variants) : null;
};

const walkOf = (model: Model, raised: readonly string[], random: () => number): readonly Step[] => {
  const stepper = stepperOf(model);
  const alphabet = alphabetOf(model, raised);
  const clock = clockOf(model);
  const steps = [stepper.start()];
  while (steps.length <= maxSteps) {
    const last = steps.at(-1);
    if (last?.state.status !== 'active') break;
    const { state } = last;
    clock.take(last);
    const possible = [...alphabet, ...(model.answers?.(state) ?? [])].filter(
      (event) => clock.allows(event.type) && state.can(event),
    );
    const event = chosenFrom(random, possible);
    if (!event) break;
    steps.push(stepper.next(state, event));
  }
  return steps;
};

/** A machine that ends soon may have fewer different walks than requested. */
const triesPerWalk = 20;

/** Returns different random walks through the models of a machine in turn, without the known numbers. The same seed gives the same walks. */
export const randomWalks = (
  { id, models, raised }: Modelled,
  count: number,
  seed: number,
  known: ReadonlySet<string> = new Set(),
): readonly TestPath[] => {
  if (!isAny(models)) return [];
  const random = randomFrom(seed);
  const walks = new Map<string, TestPath>();
  for (let index = 0; walks.size < count && index < count * triesPerWalk; index += 1) {
    const model = models[index % models.length] ?? models[0];
    const steps = walkOf(model, raised, random);
    const number = numberOf(id, model.name, eventsOf(steps));
    if (!known.has(number)) walks.set(number, { number, model, goals: [], steps });
  }
  return [...walks.values()];
};
