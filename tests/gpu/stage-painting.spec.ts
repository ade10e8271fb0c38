import { expect, test } from './harness.ts';

const slot = 48 * 60;

test('only what changed on a mount is drawn, and it comes out as a whole drawing would', async ({ page }) => {
  const steps = await page.evaluate(() => window.suites.partsOfMount());
  expect(steps.map(({ name, largest }) => `${name}: ${largest > 1 ? largest : 'right'}`)).toEqual(
    steps.map(({ name }) => `${name}: right`),
  );
  for (const { greys } of steps) expect(greys).toBeGreaterThan(100);
  const painted = Object.fromEntries(steps.map(({ name, painted: pixels }) => [name, pixels]));
  expect(painted).toMatchObject({
    first: 320 * 240,
    same: 0,
    window: slot,
    'window again': slot,
    swapped: 2 * slot,
    'one less': slot,
  });
});

test('values shown twice are on the GPU once, and leave it with the last that shows them', async ({ page }) => {
  const { held, due } = await page.evaluate(() => window.suites.sharedTextures());
  expect(held).toEqual([due, due, due, 0]);
});

test('a lost context takes the samples kept with it, and nothing else', async ({ page }) => {
  const { kept, after, windowAfter } = await page.evaluate(() => window.suites.contextLossWithSamples());
  expect(kept).toBe(320 * 240 * 4);
  expect(after.greys).toBeGreaterThan(100);
  expect(after.largest).toBeLessThanOrEqual(1);
  expect(windowAfter.largest).toBe(0);
});

test('a machine that cannot draw numbers draws straight', async ({ page }) => {
  const { direct, again, sampleBytes, apart } = await page.evaluate(() => window.suites.withoutNumbers());
  expect(sampleBytes).toBe(0);
  expect(apart).toBe(0);
  expect(Math.max(direct.largest, again.largest)).toBeLessThanOrEqual(1);
  expect(again.greys).toBeGreaterThan(100);
});

test('a picture in tiles is sampled without seams', async ({ page }) => {
  const results = await page.evaluate(() => window.suites.tiledBothWays());
  expect(Object.keys(results)).toHaveLength(5);
  for (const [name, { direct, again, sampleBytes, sampleBytesDue }] of Object.entries(results)) {
    expect(`${name}: ${Math.max(direct.largest, again.largest) > 1 ? 'differs' : 'right'}`).toBe(`${name}: right`);
    expect(sampleBytes).toBe(sampleBytesDue);
    expect(sampleBytes).toBeGreaterThan(0);
  }
});

test('a picture away from the stage gives its memory up when there is no room', async ({ page }) => {
  const { due, roomy, tight } = await page.evaluate(() => window.suites.awayFromStage());
  expect(roomy).toEqual([2 * due, 2 * due]);
  expect(tight).toEqual([due, due]);
});

test('a lens shows the picture under it enlarged, from the same texture, and leaves no trace', async ({ page }) => {
  const told = await page.evaluate(() => window.suites.lensOver());
  expect(told.inside.largest).toBeLessThanOrEqual(1);
  expect(told.inside.greys).toBeGreaterThan(20);
  expect(told.beside).toBe(0);
  expect(told.border).toBe(204);
  expect(told.bytes).toBe(0);
  expect(told.movedOn.largest).toBeLessThanOrEqual(1);
  expect(told.paintedForMove).toBeLessThan(320 * 240);
  expect(told.windowBelow.largest).toBeLessThanOrEqual(1);
  expect(told.after).toBeLessThanOrEqual(1);
});

test('a LUT that a picture does not have stops nothing', async ({ page }) => {
  const { largest, greys } = await page.evaluate(() => window.suites.unknownLut());
  expect(largest).toBeLessThanOrEqual(1);
  expect(greys).toBeGreaterThan(1);
});
