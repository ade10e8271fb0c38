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
  // After the first change of a window: the samples, which are kept, and the picture out of them.
  expect(await page.evaluate(() => window.suites.idleFrames())).toEqual({ idle: 0, afterChange: 2 });
});

test('a picture larger than a texture is drawn in tiles, without seams', async ({ page }) => {
  const results = await page.evaluate(() => window.suites.tiled());
  for (const [name, { largest, greys }] of Object.entries(results)) {
    expect(`${name}: ${largest > 1 ? `differs by ${largest}` : 'right'}`).toBe(`${name}: right`);
    expect(greys).toBeGreaterThan(2);
  }
});

test('pictures that come and go on one stage give their GPU memory back', async ({ page }) => {
  const { heldAfter, left, made } = await page.evaluate(() => window.suites.manyPictures());
  expect(made).toBeGreaterThan(100);
  // The third picture and the twentieth hold the same; none holds no texture.
  expect(heldAfter).toHaveLength(1);
  expect(left[0]).toBe(0);
});

test('a browser without a GPU is told of, not waited for', async ({ page }) => {
  const told = await page.evaluate(() => window.suites.withoutGpu());
  expect(told).toEqual({ refused: 'refused', told: true, canvases: 0 });
});

test('two pictures side by side keep to their places', async ({ page }) => {
  expect(await page.evaluate(() => window.suites.sideBySide())).toEqual({ left: [255], right: [0] });
});

for (const deviceScaleFactor of [1, 1.5, 2, 3]) {
  test.describe(`${deviceScaleFactor} device pixels for a CSS pixel`, () => {
    test.use({ deviceScaleFactor });
    test('one image pixel is one device pixel', async ({ page }) => {
      for (const name of ['odd size', 'turned 90', 'bytes of odd width']) {
        const { largest, greys } = await page.evaluate((chosen) => window.suites.runCase(chosen), name);
        expect(largest).toBe(0);
        expect(greys).toBeGreaterThan(2);
      }
    });

    test('a portrait monitor of five megapixels is filled pixel by pixel', async ({ page }) => {
      const monitor = { width: 2048, height: 2560 };
      await page.setViewportSize({
        width: Math.ceil(monitor.width / deviceScaleFactor),
        height: Math.ceil(monitor.height / deviceScaleFactor),
      });
      const { canvas, largest, over, greys } = await page.evaluate((size) => window.suites.monitor(size), monitor);
      expect(canvas).toEqual(monitor);
      expect({ largest, over }).toEqual({ largest: 0, over: 0 });
      expect(greys).toBe(256);
    });
  });
}
