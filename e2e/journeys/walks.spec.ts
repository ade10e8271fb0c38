import { type JourneyName, journeys } from '../../tests/models/index.ts';
import { commandOf, randomWalk, wholeWalk } from '../../tests/models/walks.ts';
import { test } from '../test.ts';
import { recordWalk } from '../walks/record-walk.ts';
import { walk } from '../walks/walk.ts';

const names = Object.keys(journeys) as readonly JourneyName[];

for (const name of names)
  test(`${name}: every transition`, async ({ page }) => {
    test.slow();
    const steps = wholeWalk(journeys[name]);
    await walk(page, name, steps);
    recordWalk(`${name} whole`, name, steps);
  });

// `npm run walk` and WALK_SEED choose another walk.
test('a random walk', async ({ page }) => {
  test.slow();
  const seed = Number(process.env.WALK_SEED ?? 20_261_123);
  const length = Number(process.env.WALK_STEPS ?? 8);
  const name = names.find((one) => one === process.env.WALK_JOURNEY) ?? names[seed % names.length] ?? 'visit';
  const steps = randomWalk(journeys[name], seed, length);
  const again = commandOf(name, seed, length);
  console.log(`Random walk: ${again}`);
  await walk(page, name, steps).catch((error: unknown) => {
    const description = steps.map(({ event, state }, index) => `${index + 1}. ${event}: ${state}`).join('\n');
    throw new Error(`${name}\n${description}\n\nRepeat this walk: ${again}\n\n${error}`, { cause: error });
  });
  recordWalk(`${name} at random`, name, steps);
});
