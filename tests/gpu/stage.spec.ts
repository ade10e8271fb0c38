import { expect, test } from './harness.ts';

test('a lost GPU context is rebuilt from the scene', async ({ page }) => {
  const { largest, greys } = await page.evaluate(() => window.suites.contextLoss());
  expect(largest).toBe(0);
  expect(greys).toBeGreaterThan(2);
});

test('thirty stages come and go without a trace', async ({ page }) => {
  expect(await page.evaluate(() => window.suites.cycles(30))).toEqual({ largest: 0, canvases: 0 });
});

test('a stage taken down before it was ready leaves nothing', async ({ page }) => {
  expect(await page.evaluate(() => window.suites.disposedEarly())).toEqual({
    refused: 'the stage is disposed',
    canvases: 1,
    left: 0,
  });
});

test('nothing is drawn while nothing changes', async ({ page }) => {
  expect(await page.evaluate(() => window.suites.idleFrames())).toEqual({ idle: 0, afterChange: 1 });
});
