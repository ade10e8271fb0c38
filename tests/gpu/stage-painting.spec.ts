import { expect, test } from './harness.ts';

const slot = 48 * 60;

test('only changed parts of a mount are redrawn, with the result of a full redraw', async ({ page }) => {
  const steps = await page.evaluate(() => window.suites.partsOfMount());
  expect(steps.map(({ name, largest }) => `${name}: ${largest > 1 ? largest : 'right'}`)).toEqual(
    steps.map(({ name }) => `${name}: right`),
  );
  for (const { greyValues } of steps) expect(greyValues).toBeGreaterThan(100);
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

test('values shown twice are uploaded once and freed with their last user', async ({ page }) => {
  const { held, due } = await page.evaluate(() => window.suites.sharedTextures());
  expect(held).toEqual([due, due, due, 0]);
});

test('a lost context discards value buffers and nothing else', async ({ page }) => {
  const { valueBytes, after, windowAfter } = await page.evaluate(() => window.suites.contextLossWithSamples());
  expect(valueBytes).toBe(320 * 240 * 4);
  expect(after.greyValues).toBeGreaterThan(100);
  expect(after.largest).toBeLessThanOrEqual(1);
  expect(windowAfter.largest).toBe(0);
});

test('without renderable float textures images are drawn directly', async ({ page }) => {
  const { direct, again, sampleBytes, apart } = await page.evaluate(() => window.suites.withoutNumbers());
  expect(sampleBytes).toBe(0);
  expect(apart).toBe(0);
  expect(Math.max(direct.largest, again.largest)).toBeLessThanOrEqual(1);
  expect(again.greyValues).toBeGreaterThan(100);
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

test('an image outside the stage is freed above the memory budget', async ({ page }) => {
  const { due, roomy, tight } = await page.evaluate(() => window.suites.awayFromStage());
  expect(roomy).toEqual([2 * due, 2 * due]);
  expect(tight).toEqual([due, due]);
});

test('a lens enlarges the image under it from the same texture, and is removed cleanly', async ({ page }) => {
  const result = await page.evaluate(() => window.suites.lensOver());
  expect(result.inside.largest).toBeLessThanOrEqual(1);
  expect(result.inside.greyValues).toBeGreaterThan(20);
  expect(result.beside).toBe(0);
  expect(result.border).toBe(204);
  expect(result.bytes).toBe(0);
  expect(result.movedOn.largest).toBeLessThanOrEqual(1);
  expect(result.paintedForMove).toBeLessThan(320 * 240);
  expect(result.windowBelow.largest).toBeLessThanOrEqual(1);
  expect(result.after).toBeLessThanOrEqual(1);
});

test('a VOI LUT that the image does not have does not stop the drawing', async ({ page }) => {
  const { largest, greyValues } = await page.evaluate(() => window.suites.unknownLut());
  expect(largest).toBeLessThanOrEqual(1);
  expect(greyValues).toBeGreaterThan(1);
});
