import { type Page, test } from '@playwright/test';
import { type JourneyName, journeys } from '../../tests/models/index.ts';
import { firstState, type WalkStep } from '../../tests/models/walks.ts';
import { walkers } from './index.ts';
import type { Walker } from './walker.ts';

/** Actions or assertions by the names in the model. */
type ByName = Readonly<Record<string, () => Promise<unknown>>>;

const named = (all: ByName, name: string): (() => Promise<unknown>) => {
  const one = all[name];
  if (!one) throw new Error(`The walker has no "${name}"`);
  return one;
};

/** Walks the steps from a new page, checking the first state and the state after each step. */
export const walk = async (page: Page, journey: JourneyName, steps: readonly WalkStep[]): Promise<void> => {
  const walker: Walker<JourneyName> = walkers[journey](page);
  const actions: ByName = walker.actions;
  const assertions: ByName = walker.assertions;
  await walker.begin();
  await named(assertions, firstState(journeys[journey]))();
  for (const [index, { event, state }] of steps.entries())
    await test.step(`${index + 1}. ${event}: ${state}`, async () => {
      await named(actions, event)();
      await named(assertions, state)();
    });
};
