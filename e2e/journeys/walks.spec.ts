import { type JourneyName, journeys } from '../../tests/models/index.ts';
import { commandOf, randomWalk, wholeWalk } from '../../tests/models/walks.ts';
import { test } from '../test.ts';
import { walk } from '../walks/walk.ts';
import { tellWalked } from '../walks/walked.ts';

const names = Object.keys(journeys) as readonly JourneyName[];

for (const name of names)
  test(`${name}: every step that there is`, async ({ page }) => {
    test.slow();
    const steps = wholeWalk(journeys[name]);
    await walk(page, name, steps);
    tellWalked(`${name} whole`, name, steps);
  });

// `npm run walk` says which walk; otherwise another one each time, and the journeys take turns.
test('a walk at random', async ({ page }) => {
  test.slow();
  const seed = Number(process.env.WALK_SEED ?? Date.now() % 1_000_000);
  const length = Number(process.env.WALK_STEPS ?? 8);
  const name = names.find((one) => one === process.env.WALK_JOURNEY) ?? names[seed % names.length] ?? 'visit';
  const steps = randomWalk(journeys[name], seed, length);
  const again = commandOf(name, seed, length);
  await walk(page, name, steps).catch((error: unknown) => {
    const told = steps.map(({ event, state }, index) => `${index + 1}. ${event}: ${state}`).join('\n');
    throw new Error(`${name}\n${told}\n\nThe same walk again: ${again}\n\n${error}`, { cause: error });
  });
  tellWalked(`${name} at random`, name, steps);
});
