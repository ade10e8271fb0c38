import type { AnyEventObject } from 'xstate';
import { alphabetOf, type Model } from '../../paths.ts';
import type { Modelled } from '../models/index.ts';
import type { TestPath } from './cover.ts';
import { clockOf } from './delays.ts';
import { numberOf } from './identity.ts';
import { picked, randomFrom } from './random.ts';
import { type Step, stepperOf, wayOf } from './steps.ts';

/** Long enough to come round a few times, short enough to be walked by hand. */
const mostSteps = 20;

const isAny = <One>(all: readonly One[]): all is readonly [One, ...One[]] => all.length > 0;

/** First what kind of thing happens, then with which data: an answer with many variants is not likelier than a click. */
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
  const steps = [stepper.begin()];
  while (steps.length <= mostSteps) {
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

/** Of a machine that ends soon there may be fewer different walks than were wished for. */
const mostTries = 20;

/**
 * Different walks at random, by turns through the models of a machine, none of which has a number that is known already. The same seed
 * walks the same ways.
 */
export const randomWalks = (
  { id, models, raised }: Modelled,
  count: number,
  seed: number,
  known: ReadonlySet<string> = new Set(),
): readonly TestPath[] => {
  if (!isAny(models)) return [];
  const random = randomFrom(seed);
  const walks = new Map<string, TestPath>();
  for (let index = 0; walks.size < count && index < count * mostTries; index += 1) {
    const model = models[index % models.length] ?? models[0];
    const steps = walkOf(model, raised, random);
    const number = numberOf(id, model.name, wayOf(steps));
    if (!known.has(number)) walks.set(number, { number, model, goals: [], steps });
  }
  return [...walks.values()];
};
