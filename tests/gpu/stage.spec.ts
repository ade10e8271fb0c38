import { expect, test } from './harness.ts';

test('a lost GPU context is rebuilt from the scene', async ({ page }) => {
  const { largest, greyValues } = await page.evaluate(() => window.suites.contextLoss());
  expect(largest).toBe(0);
  expect(greyValues).toBeGreaterThan(2);
});

test('thirty stages are created and disposed without leaks', async ({ page }) => {
  expect(await page.evaluate(() => window.suites.cycles(30))).toEqual({ largest: 0, canvases: 0 });
});

test('a stage disposed before it is ready leaves nothing', async ({ page }) => {
  expect(await page.evaluate(() => window.suites.disposedEarly())).toEqual({
    rejected: 'the stage is disposed',
    canvases: 1,
    left: 0,
  });
});

test('nothing is drawn while nothing changes', async ({ page }) => {
  // After the first change of a window: the stored samples, and the picture drawn from them.
  expect(await page.evaluate(() => window.suites.idleFrames())).toEqual({ idle: 0, afterChange: 2 });
});

test('a picture larger than a texture is drawn in tiles, without seams', async ({ page }) => {
  const results = await page.evaluate(() => window.suites.tiled());
  for (const [name, { largest, greyValues }] of Object.entries(results)) {
    expect(`${name}: ${largest > 1 ? `differs by ${largest}` : 'right'}`).toBe(`${name}: right`);
    expect(greyValues).toBeGreaterThan(2);
  }
});

test('images removed from a stage free their GPU memory', async ({ page }) => {
  const { countsAfter, left, made } = await page.evaluate(() => window.suites.manyPictures());
  expect(made).toBeGreaterThan(100);
  // Counts are equal after the third and the twentieth picture; without pictures there is no texture.
  expect(countsAfter).toHaveLength(1);
  expect(left[0]).toBe(0);
});

test('a browser without WebGL is reported instead of waited for', async ({ page }) => {
  const result = await page.evaluate(() => window.suites.withoutGpu());
  expect(result).toEqual({ rejected: 'rejected', reported: true, canvases: 0 });
});

test('two images side by side stay in their rectangles', async ({ page }) => {
  expect(await page.evaluate(() => window.suites.sideBySide())).toEqual({ left: [255], right: [0] });
});

for (const deviceScaleFactor of [1, 1.5, 2, 3]) {
  test.describe(`${deviceScaleFactor} device pixels for a CSS pixel`, () => {
    test.use({ deviceScaleFactor });
    test('one image pixel is one device pixel', async ({ page }) => {
      for (const name of ['odd size', 'turned 90', 'bytes of odd width']) {
        const { largest, greyValues } = await page.evaluate((chosen) => window.suites.runCase(chosen), name);
        expect(largest).toBe(0);
        expect(greyValues).toBeGreaterThan(2);
      }
    });

    test('a portrait monitor of five megapixels is filled pixel for pixel', async ({ page }) => {
      const monitor = { width: 2048, height: 2560 };
      await page.setViewportSize({
        width: Math.ceil(monitor.width / deviceScaleFactor),
        height: Math.ceil(monitor.height / deviceScaleFactor),
      });
      const { canvas, largest, over, greyValues } = await page.evaluate((size) => window.suites.monitor(size), monitor);
      expect(canvas).toEqual(monitor);
      expect({ largest, over }).toEqual({ largest: 0, over: 0 });
      expect(greyValues).toBe(256);
    });
  });
}
