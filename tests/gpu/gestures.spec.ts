import type { Page } from '@playwright/test';
import { allOf, clearIntents, drag, intents, lastOf, open, penInput, show, touchInput } from './gesture-driver.ts';
import { expect, test } from './harness.ts';

const gestureTypes = async (page: Page) =>
  (await intents(page)).filter(({ type }) => type.startsWith('gesture.')).map(({ type }) => type);

const middle = [200, 150] as const;
/** Change of the window per CSS pixel: 2000 pixels cover the range of 65535 modality values. */
const valuesPerPixel = 65535 / 2000;
/** CSS pixels per image pixel of the 101 x 67 image fitted to the 400 x 300 stage. */
const fitScale = 400 / 101;

test('dragging changes brightness and contrast, and emits start and end', async ({ page }) => {
  await open(page, { kind: 'single' });
  await drag(page, middle, [240, 180]);
  const { gesture, display } = await lastOf(page, 'gesture.settled');
  expect(gesture).toBe('window');
  expect(display.voi).toEqual({
    kind: 'window',
    function: 'LINEAR',
    centre: expect.closeTo(2048 + 30 * valuesPerPixel, 6),
    width: expect.closeTo(4096 + 40 * valuesPerPixel, 6),
  });
  expect(await gestureTypes(page)).toEqual(['gesture.begun', 'gesture.settled']);
  await expect.poll(async () => (await lastOf(page, 'view.drawn')).display).toEqual(display);
});

test('a pen works like a mouse', async ({ page }) => {
  await open(page, { kind: 'single' });
  const { down, move, up } = await penInput(page);
  await move(...middle);
  await down(...middle);
  await move(220, 150);
  await move(240, 150);
  await up(240, 150);
  const { gesture, display } = await lastOf(page, 'gesture.settled');
  expect([gesture, display.voi]).toEqual(['window', expect.objectContaining({ width: 4096 + 40 * valuesPerPixel })]);
});

for (const button of ['middle', 'right'] as const) {
  test(`the ${button} button moves the image`, async ({ page }) => {
    await open(page, { kind: 'single' });
    await drag(page, middle, [240, 130], button);
    const { gesture, view } = await lastOf(page, 'gesture.settled');
    expect(gesture).toBe('pan');
    expect(view).toEqual({
      scale: expect.closeTo(fitScale, 6),
      centreX: expect.closeTo(50.5 - 40 / fitScale, 6),
      centreY: expect.closeTo(33.5 + 20 / fitScale, 6),
    });
  });
}

test('the space bar makes the left button move the image', async ({ page }) => {
  await open(page, { kind: 'single' });
  await page.keyboard.down(' ');
  await drag(page, middle, [210, 160]);
  await page.keyboard.up(' ');
  expect((await lastOf(page, 'gesture.settled')).gesture).toBe('pan');
});

test('the wheel zooms about the pointer', async ({ page }) => {
  await open(page, { kind: 'single' });
  await page.mouse.move(300, 100);
  const before = await lastOf(page, 'pointer.value');
  await page.mouse.wheel(0, -200);
  const { gesture, view } = await lastOf(page, 'gesture.settled');
  expect(gesture).toBe('zoom');
  if (typeof view === 'string') throw new Error('the image was not zoomed');
  expect(view.scale).toBeCloseTo(fitScale * Math.exp(0.4), 6);
  await clearIntents(page);
  await page.mouse.move(300.4, 100);
  await page.mouse.move(300, 100);
  const after = await lastOf(page, 'pointer.value');
  expect([after.x, after.y, after.stored]).toEqual([before.x, before.y, before.stored]);
  expect(await gestureTypes(page)).toEqual([]);
});

test('the wheel with Alt steps through frames, and zooms a single-frame image', async ({ page }) => {
  await open(page, { kind: 'single', frames: 5 });
  await page.mouse.move(...middle);
  await page.keyboard.down('Alt');
  await page.mouse.wheel(0, 100);
  expect((await lastOf(page, 'frame.requested')).frame).toBe(2);
  // Steps count from the requested frame, loaded or not.
  const [image] = await page.evaluate(() => window.gestureTest.scene.images);
  if (!image) throw new Error('no image');
  await page.evaluate((second) => window.gestureTest.stage.show({ ...window.gestureTest.scene, images: [second] }), {
    ...image,
    frame: 2,
  });
  expect(await page.evaluate(() => window.gestureTest.stage.act({ type: 'frame', by: 1 }))).toBe(true);
  expect((await lastOf(page, 'frame.requested')).frame).toBe(3);
  expect(await gestureTypes(page)).toEqual([]);
  await page.keyboard.up('Alt');
  await page.mouse.wheel(0, -100);
  expect((await lastOf(page, 'gesture.settled')).gesture).toBe('zoom');
});

test('on slices the wheel goes to the next one, and zooms with Ctrl', async ({ page }) => {
  await open(page, { kind: 'single', isSlice: true });
  await page.mouse.move(...middle);
  await page.mouse.wheel(0, 100);
  expect((await lastOf(page, 'slice.requested')).by).toBe(1);
  await page.mouse.wheel(0, -100);
  expect((await lastOf(page, 'slice.requested')).by).toBe(-1);
  expect(await gestureTypes(page)).toEqual([]);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -100);
  expect((await lastOf(page, 'gesture.settled')).gesture).toBe('zoom');
});

test('the wheel goes through the slices of one file', async ({ page }) => {
  await open(page, { kind: 'single', frames: 5, isSlice: true });
  await page.mouse.move(...middle);
  await page.mouse.wheel(0, 200);
  expect((await lastOf(page, 'frame.requested')).frame).toBe(3);
});

test('keys rotate, flip, invert, filter, zoom and request a reset', async ({ page }) => {
  await open(page, { kind: 'single' });
  await page.locator('canvas').focus();
  const after = async (key: string) => {
    await clearIntents(page);
    await page.keyboard.press(key);
    return lastOf(page, 'gesture.settled');
  };
  expect((await after('r')).display.rotation).toBe(90);
  expect((await after('Shift+R')).display.rotation).toBe(0);
  expect((await after('f')).display).toMatchObject({ horizontalFlip: true, rotation: 0 });
  expect((await after('i')).display.inverted).toBe(true);
  expect((await after('n')).display.noise).toEqual({ kind: 'bilateral', strength: 0.5 });
  expect((await after('n')).display.noise.kind).toBe('none');
  expect((await after('e')).display.sharpness).toBe(0.5);
  expect((await after('x')).view).toEqual({ centreX: 50.5, centreY: 33.5, scale: 1 });
  expect((await after('+')).view).toMatchObject({ scale: 1.25 });
  expect((await after('q')).view).toBe('fit');
  const wider = (await after('Shift+ArrowLeft')).display.voi;
  expect(wider).toMatchObject({ width: 4096 + 10 * valuesPerPixel });
  // Only the listener knows the saved display: the stage requests the reset and changes nothing itself.
  await clearIntents(page);
  await page.keyboard.press('Backspace');
  expect((await lastOf(page, 'reset.requested')).id).toBe('a');
  expect(await allOf(page, 'gesture.settled')).toEqual([]);
  await page.keyboard.press('l');
  expect((await lastOf(page, 'tool.requested')).tool).toBe('length');
});

test('two keys before the next frame both take effect, and rotating keeps the default window', async ({ page }) => {
  await open(page, { kind: 'single' });
  const settled = await page.evaluate(async () => {
    const { gestureTest } = window;
    const images = gestureTest.scene.images.map((image) => ({ ...image, display: { ...image.display, voi: null } }));
    await gestureTest.show({ images });
    const done = [
      gestureTest.stage.act({ type: 'rotate', quarters: 1 }),
      gestureTest.stage.act({ type: 'rotate', quarters: 1 }),
      gestureTest.stage.act({ type: 'frame', by: 1 }),
    ];
    const displays = gestureTest.intents.flatMap((intent) =>
      intent.type === 'gesture.settled' ? [intent.display] : [],
    );
    return { done, displays };
  });
  expect(settled.done).toEqual([true, true, false]);
  expect(settled.displays.map(({ rotation, voi }) => [rotation, voi])).toEqual([
    [90, null],
    [180, null],
  ]);
});

test('keys that the stage does not handle bubble to the page', async ({ page }) => {
  await open(page, { kind: 'single' });
  await page.locator('canvas').focus();
  const used = await page.evaluate(() => {
    const canvas = document.querySelector('#host ~ div canvas');
    const press = (key: string) => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      canvas?.dispatchEvent(event);
      return event.defaultPrevented;
    };
    return ['o', ',', 'Enter', 'Escape', 'Delete', 'PageDown', 'r'].map(press);
  });
  expect(used).toEqual([false, false, false, false, false, false, true]);
});

test('a double click zooms to 1:1 at that point, a second one back to fit', async ({ page }) => {
  await open(page, { kind: 'single' });
  await page.mouse.dblclick(300, 100);
  expect((await lastOf(page, 'gesture.settled')).view).toMatchObject({ scale: 1 });
  expect(await gestureTypes(page)).toEqual(['gesture.begun', 'gesture.settled']);
  await expect.poll(async () => (await lastOf(page, 'view.drawn')).camera.scale).toBe(1);
  await page.mouse.dblclick(200, 150);
  await expect.poll(async () => (await lastOf(page, 'gesture.settled')).view).toBe('fit');
});

test('two fingers zoom and pan the image; a double tap zooms to 1:1', async ({ page }) => {
  await open(page, { kind: 'single' });
  const touch = await touchInput(page);
  await touch.down([160, 150], [240, 150]);
  await touch.move([140, 150], [260, 150]);
  await touch.move([120, 150], [280, 150]);
  await touch.up();
  const { gesture, view } = await lastOf(page, 'gesture.settled');
  expect(gesture).toBe('zoom');
  if (typeof view === 'string') throw new Error('the image was not zoomed');
  expect(view.scale).toBeCloseTo(fitScale * 2, 4);
  expect(view.centreX).toBeCloseTo(50.5, 3);
  await touch.tap(300, 100);
  await touch.tap(302, 101);
  await expect.poll(async () => (await lastOf(page, 'gesture.settled')).gesture).toBe('actual-size');
});

test('an equal scene keeps the state of a gesture; a different one replaces it', async ({ page }) => {
  await open(page, { kind: 'single' });
  await drag(page, middle, [240, 180]);
  const { display } = await lastOf(page, 'gesture.settled');
  const drawnAfter = (inverted: boolean) =>
    page.evaluate(async (inverted) => {
      const { gestureTest } = window;
      const images = gestureTest.scene.images.map((image) =>
        inverted ? { ...image, display: { ...image.display, inverted: true } } : image,
      );
      await gestureTest.show({ images });
      return gestureTest.intents.findLast(({ type }) => type === 'view.drawn');
    }, inverted);
  expect(await drawnAfter(false)).toMatchObject({ display });
  expect(await drawnAfter(true)).toMatchObject({ display: { inverted: true, voi: { centre: 2048, width: 4096 } } });
});

test('a region sets the window from the values inside it, and is drawn as a dashed rectangle', async ({ page }) => {
  await open(page, { kind: 'single' });
  await show(page, { tool: 'region' });
  // The image is 400 x 265 CSS pixels, 17 from the top; the region covers its columns 25 to 75.
  await page.mouse.move(25 * fitScale + 1, 60);
  await page.mouse.down();
  await page.mouse.move(60 * fitScale, 200);
  await page.mouse.move(75 * fitScale - 1, 220);
  await expect(page.locator('[data-mark=region] path[stroke-dasharray]')).toHaveCount(1);
  await page.mouse.up();
  const { gesture, display } = await lastOf(page, 'gesture.settled');
  expect(gesture).toBe('window');
  expect(display.voi).toEqual({ kind: 'window', centre: (125 + 174 + 1) / 2, width: 50, function: 'LINEAR' });
  await expect(page.locator('[data-mark=region]')).toHaveCount(0);
  // Cancelled: nothing changes.
  await clearIntents(page);
  await page.mouse.move(50, 60);
  await page.mouse.down();
  await page.mouse.move(150, 200);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  expect(await allOf(page, 'gesture.settled')).toEqual([]);
});

test('linked images move together, in one event', async ({ page }) => {
  await open(page, { kind: 'compare' });
  await page.mouse.move(100, 150);
  await page.mouse.wheel(0, -200);
  const zoomed = await lastOf(page, 'gesture.settled');
  expect([zoomed.id, ...zoomed.followed.map(({ id }) => id)]).toEqual(['a', 'b']);
  expect(zoomed.followed[0]?.view).toEqual(zoomed.view);
  expect(zoomed.view).toMatchObject({ scale: expect.closeTo((200 / 101) * Math.exp(0.4), 6) });
  await clearIntents(page);
  await drag(page, [300, 150], [320, 150]);
  const { id, display, followed } = await lastOf(page, 'gesture.settled');
  expect([id, ...followed.map((other) => other.id)]).toEqual(['b', 'a']);
  expect(display.voi).toMatchObject({ width: 4096 + 20 * valuesPerPixel });
  expect(followed[0]?.display.voi).toMatchObject({ width: expect.closeTo(4096 + 20 * valuesPerPixel, 6) });
  expect((await lastOf(page, 'image.chosen')).id).toBe('b');
  await show(page, { linked: false });
  await clearIntents(page);
  await drag(page, [100, 150], [120, 150]);
  expect((await allOf(page, 'gesture.settled')).map((one) => [one.id, one.followed])).toEqual([['a', []]]);
});

test('linked images with windows of their own only zoom and move together', async ({ page }) => {
  await open(page, { kind: 'compare' });
  await show(page, { ownWindows: true });
  await page.mouse.move(100, 150);
  await page.mouse.wheel(0, -200);
  const zoomed = await lastOf(page, 'gesture.settled');
  expect(zoomed.followed.map(({ id, view }) => [id, view])).toEqual([['b', zoomed.view]]);
  await clearIntents(page);
  await drag(page, [300, 150], [320, 150]);
  const { id, display, followed } = await lastOf(page, 'gesture.settled');
  expect([id, display.voi]).toMatchObject(['b', { width: 4096 + 20 * valuesPerPixel }]);
  expect(followed.map((other) => other.display.voi)).toEqual(followed.map(() => zoomed.display.voi));
});

test('the magnifier follows the pointer, and the wheel changes its factor', async ({ page }) => {
  await open(page, { kind: 'single' });
  await show(page, { tool: 'magnifier' });
  await page.mouse.move(...middle);
  await page.mouse.wheel(0, -200);
  expect(await gestureTypes(page)).toEqual([]);
  const greyAt = () =>
    page.evaluate(async () => {
      const { pixels, width } = await window.gestureTest.stage.snapshot();
      const row = Math.round(150 * devicePixelRatio) * width;
      return Array.from({ length: 40 }, (_, x) => pixels[(row + Math.round((180 + x) * devicePixelRatio)) * 4]);
    });
  const images = await page.evaluate(() => window.gestureTest.scene.images);
  const narrow = { kind: 'window', centre: 150, width: 100, function: 'LINEAR' } as const;
  await show(page, { images: images.map((image) => ({ ...image, display: { ...image.display, voi: narrow } })) });
  const magnified = new Set(await greyAt()).size;
  await page.mouse.move(410, 310);
  const plain = new Set(await greyAt()).size;
  // Fewer image pixels cover the same number of device pixels.
  expect(magnified).toBeLessThan(plain);
});
