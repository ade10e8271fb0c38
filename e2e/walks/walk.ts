import { type Page, test } from '@playwright/test';
import { type JourneyName, journeys } from '../../tests/models/index.ts';
import { firstState, type WalkStep } from '../../tests/models/walks.ts';
import { walkers } from './index.ts';
import type { Walker } from './walker.ts';

/** The closed records of a walker, by names that come from the model. */
type ByName = Readonly<Record<string, () => Promise<unknown>>>;

const named = (all: ByName, name: string): (() => Promise<unknown>) => {
  const one = all[name];
  if (!one) throw new Error(`Nobody knows how to walk "${name}"`);
  return one;
};

/** Walks the steps on a page that has not been opened; looks at the first state, and after each step at the state that it promises. */
export const walk = async (page: Page, journey: JourneyName, steps: readonly WalkStep[]): Promise<void> => {
  const walker: Walker<JourneyName> = walkers[journey](page);
  const hands: ByName = walker.hands;
  const eyes: ByName = walker.eyes;
  await walker.begin();
  await named(eyes, firstState(journeys[journey]))();
  for (const [index, { event, state }] of steps.entries())
    await test.step(`${index + 1}. ${event}: ${state}`, async () => {
      await named(hands, event)();
      await named(eyes, state)();
    });
};
