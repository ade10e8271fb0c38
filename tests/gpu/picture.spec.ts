import { expect, test } from './harness.ts';

const exact = ['ramp, full window', 'odd size', 'turned 90', 'turned 90 horizontalFlip', 'modality LUT and VOI LUT'];

test('a picture has the pixels of its image and the grey values of the reference, whatever the view', async ({
  page,
}) => {
  for (const name of exact) {
    const { picture, png, size, image } = await page.evaluate((chosen) => window.suites.pictureOfCase(chosen), name);
    expect(`${name}: ${picture.largest}`).toBe(`${name}: 0`);
    expect(picture.greyValues).toBeGreaterThan(2);
    expect(size.toSorted()).toEqual(image.toSorted());
    expect(png.largest).toBe(0);
  }
});

test('a palette and colours are drawn as the reference draws them', async ({ page }) => {
  const names = await page.evaluate(() => window.suites.caseNames());
  const coloured = names.filter((name) => /palette|colour/i.test(name));
  expect(coloured.length).toBeGreaterThan(0);
  for (const name of coloured) {
    const { picture } = await page.evaluate((chosen) => window.suites.pictureOfCase(chosen), name);
    expect(`${name}: ${picture.largest <= 1}`).toBe(`${name}: true`);
  }
});

test('a smaller picture equals a stage of its size', async ({ page }) => {
  for (const name of ['ramp, full window', 'odd size', 'turned 90'])
    for (const longestSide of [31, 100]) {
      const compared = await page.evaluate(([chosen, side]) => window.suites.pictureAndStage(chosen, side), [
        name,
        longestSide,
      ] as const);
      expect(compared.largest).toBe(0);
      expect(compared.greyValues).toBeGreaterThan(2);
    }
});

test('marks are drawn only when asked for, as a light line with a dark outline', async ({ page }) => {
  const { plain, changedRows, line } = await page.evaluate(() => window.suites.pictureWithMarks());
  expect(plain).toBe(0);
  expect(changedRows).toEqual([38, 39, 40, 41]);
  // The line covers three quarters of the pixel.
  expect(line).toBeGreaterThan(170);
});

test('overlay planes cover their pixels in one colour, whatever the display, and turn with the image', async ({
  page,
}) => {
  const light = [169, 214, 255];
  for (const name of ['ramp, full window', 'turned 90', 'turned 90 horizontalFlip']) {
    const { width, height, changed } = await page.evaluate(
      (chosen) => window.suites.pictureWithPlanes(chosen, false),
      name,
    );
    const marked = changed.filter(({ colour }) => colour.join() === light.join());
    expect(marked.map(({ x, y }) => [x, y])).toEqual([
      name === 'turned 90' ? [width - 31, 20] : name === 'ramp, full window' ? [20, 30] : [width - 31, height - 21],
    ]);
    // The outline of graphics and the region: nothing else changes.
    expect(changed.length).toBeLessThanOrEqual(10);
  }
});

test('hidden overlay planes change no pixel', async ({ page }) => {
  const { changed } = await page.evaluate(() => window.suites.pictureWithPlanes('ramp, full window', true));
  expect(changed).toEqual([]);
});

test('the shutter, line and grey values of a presentation state have their exact pixels, and turn with the image', async ({
  page,
}) => {
  const cases = [
    [{ rotation: 0, horizontalFlip: false }, [32, 16, 256, 248], [64, 127, 192, 129]],
    [{ rotation: 90, horizontalFlip: false }, [8, 32, 240, 256], [127, 64, 129, 192]],
    [{ rotation: 90, horizontalFlip: true }, [8, 0, 240, 224], [127, 64, 129, 192]],
  ] as const;
  for (const [turn, open, line] of cases) {
    const drawn = await page.evaluate((chosen) => window.suites.pictureWithState(chosen, true), turn);
    const asBitmap = await page.evaluate((chosen) => window.suites.pictureWithState(chosen, true, 'bitmap'), turn);
    expect(asBitmap).toEqual(drawn);
    // Round line ends cover part of one more pixel.
    const [left = 0, top = 0, right = 0, bottom = 0] = drawn.line ?? [];
    const reach = [left, top, right, bottom].map((at, index) => Math.abs(at - (line[index] ?? 0)));
    expect([turn, drawn.size, drawn.open, drawn.openPixels]).toEqual([turn, [256, 256], open, 224 * 232]);
    expect(Math.max(...reach)).toBeLessThanOrEqual(1);
    expect(drawn.largest).toBe(0);
  }
});

test('without marks a picture has the grey values of the state and neither its shutter nor its line', async ({
  page,
}) => {
  const drawn = await page.evaluate(() =>
    window.suites.pictureWithState({ rotation: 0, horizontalFlip: false }, false),
  );
  expect(drawn).toEqual({ size: [256, 256], open: [0, 0, 256, 256], openPixels: 65_536, line: null, largest: 0 });
});

test('a mount is drawn whole, and an image that cannot be loaded gives no picture', async ({ page }) => {
  expect(await page.evaluate(() => window.suites.pictureOfMount())).toEqual({
    size: [600, 300],
    left: 255,
    right: 0,
    between: 0,
    rejected: 'no picture missing',
  });
});

test('a picture is not larger than the GPU can draw', async ({ page }) => {
  const { size, largest } = await page.evaluate(() => window.suites.pictureOnSmallGpu());
  expect(Math.max(...size)).toBe(64);
  expect(largest).toBeLessThanOrEqual(1);
});

test('a strip of text is added below the picture, which stays as it is', async ({ page }) => {
  const { width, height, largest, dark, white } = await page.evaluate(() => window.suites.pictureWithStrip());
  expect({ width, height, largest }).toEqual({ width: 0, height: 28, largest: 0 });
  expect(dark).toBeGreaterThan(50);
  expect(white).toBeGreaterThan(0.5);
});
