import type { Page } from '@playwright/test';
import type { MountViewport } from '../../src/viewer/index.ts';
import { allOf, clearIntents, drag, intents, lastOf, open, penInput, show, touchInput } from './gesture-driver.ts';
import { expect, test } from './harness.ts';

/** One mount unit is one CSS pixel when the mount is whole. Image a is at 10, 10 and b at 110, 10, each 80 x 60. */
const onA = [50, 40] as const;
const onBackground = [300, 200] as const;

const types = async (page: Page) =>
  (await intents(page)).map(({ type }) => type).filter((type) => !/drawn$|^pointer/.test(type));

for (const deviceScaleFactor of [1, 2]) {
  test.describe(`${deviceScaleFactor} device pixels for a CSS pixel`, () => {
    test.use({ deviceScaleFactor });

    test('reports the position of the mount in CSS pixels in the same frame', async ({ page }) => {
      await open(page, { kind: 'mount' });
      expect(await lastOf(page, 'mount.drawn')).toMatchObject({ left: 0, top: 0, scale: 1 });
      await page.mouse.move(...onA);
      await page.mouse.wheel(0, -200);
      const { view } = await lastOf(page, 'mount.settled');
      if (view === 'fit') throw new Error('whole');
      // The wheel distance in CSS pixels depends on the browser.
      expect(view.zoom).toBeGreaterThan(1.2);
      const { left, top, scale } = await lastOf(page, 'mount.drawn');
      expect(scale).toBeCloseTo(view.zoom, 6);
      // The mount point under the pointer has stayed, to a device pixel.
      expect(Math.abs((onA[0] - left) / scale - onA[0])).toBeLessThan(1);
      expect(Math.abs((onA[1] - top) / scale - onA[1])).toBeLessThan(1);
      const same = await page.evaluate(() => {
        const { stage, intents } = window.gestureTest;
        stage.act({ type: 'fit' });
        const before = intents.length;
        return new Promise((resolve) =>
          requestAnimationFrame(() =>
            resolve(intents.slice(before).some((intent) => intent.type === 'mount.drawn' && intent.scale === 1)),
          ),
        );
      });
      expect(same).toBe(true);
    });

    test('after a gesture the image is drawn at the same quality as without it', async ({ page }) => {
      const openGrainy = async (mountViewport: MountViewport) => {
        await open(page, { kind: 'mount', grainy: true, mountViewport });
        await page.evaluate(() => {
          const voi = { kind: 'window', centre: 150, width: 110, function: 'LINEAR' } as const;
          const { images } = window.gestureTest.scene;
          return window.gestureTest.show({
            images: images.map((one) => ({ ...one, display: { ...one.display, voi } })),
          });
        });
      };
      await openGrainy('fit');
      await page.mouse.move(...onA);
      await page.mouse.wheel(0, -40);
      const { view } = await lastOf(page, 'mount.settled');
      const pixels = () =>
        page.evaluate(async () => {
          const { width, height, pixels: shown } = await window.gestureTest.stage.snapshot();
          const digest = await crypto.subtle.digest('SHA-256', shown);
          return { width, height, greyValues: new Set(shown).size, digest: [...new Uint8Array(digest)] };
        });
      const rested = await pixels();
      expect(rested.greyValues).toBeGreaterThan(20);
      await openGrainy(view);
      expect(await pixels()).toEqual(rested);
    });

    test('a click selects, a double click opens, a click on the background reports its position', async ({ page }) => {
      await open(page, { kind: 'mount' });
      await page.mouse.click(150, 40);
      expect(await types(page)).toEqual(['image.chosen']);
      expect((await lastOf(page, 'image.chosen')).id).toBe('b');
      await page.mouse.dblclick(150, 40);
      expect((await lastOf(page, 'image.opened')).id).toBe('b');
      await clearIntents(page);
      await page.mouse.click(...onBackground);
      expect(await types(page)).toEqual(['mount.pressed']);
      const { x, y } = await lastOf(page, 'mount.pressed');
      expect([x, y]).toEqual([expect.closeTo(300, 6), expect.closeTo(200, 6)]);
      await page.mouse.click(...onBackground, { button: 'right' });
      expect(await types(page)).toEqual(['mount.pressed']);
    });

    test('dragging an image starts after six pixels, and the stage releases the pointer', async ({ page }) => {
      await open(page, { kind: 'mount' });
      await page.evaluate(() => {
        const followed: string[] = [];
        Object.assign(window, { followed });
        for (const type of ['pointermove', 'pointerup'])
          addEventListener(type, (event) => followed.push(`${event.type} ${(event.target as Element).localName}`));
      });
      await page.mouse.move(...onA);
      await page.mouse.down();
      await page.mouse.move(onA[0] + 4, onA[1]);
      expect(await types(page)).toEqual([]);
      await page.mouse.move(onA[0] + 9, onA[1]);
      const dragged = await lastOf(page, 'image.dragged');
      expect(dragged).toMatchObject({ id: 'a', clientX: onA[0], clientY: onA[1] });
      // Outside the stage: a captured pointer would still send events to the canvas.
      await page.mouse.move(600, 500);
      await page.mouse.up();
      const followed = await page.evaluate(() => Reflect.get(window, 'followed') as string[]);
      expect(followed.at(-1)).toBe('pointerup html');
      expect(await types(page)).toEqual(['image.dragged']);
    });
  });
}

test('the middle button, the space bar and a drag on the background pan the mount', async ({ page }) => {
  await open(page, { kind: 'mount' });
  await page.evaluate(() => window.gestureTest.stage.act({ type: 'zoom', steps: 4 }));
  const zoom = 1.25 ** 4;
  const settled = async () => {
    const { view } = await lastOf(page, 'mount.settled');
    if (view === 'fit') throw new Error('whole');
    return view;
  };
  const before = await settled();
  await clearIntents(page);
  await drag(page, onA, [80, 60], 'middle');
  const after = await settled();
  expect(after.centreX).toBeCloseTo(before.centreX - 30 / zoom, 6);
  expect(after.centreY).toBeCloseTo(before.centreY - 20 / zoom, 6);
  await page.keyboard.down(' ');
  await drag(page, [80, 60], onA);
  await page.keyboard.up(' ');
  expect((await settled()).centreX).toBeCloseTo(before.centreX, 6);
  await drag(page, onBackground, [310, 200]);
  expect((await settled()).centreX).toBeCloseTo(before.centreX - 10 / zoom, 6);
  expect(await types(page)).toEqual(['mount.settled', 'mount.settled', 'mount.settled']);
});

test('the right button drags the window of an image and selects it', async ({ page }) => {
  await open(page, { kind: 'mount' });
  await drag(page, [150, 40], [170, 40], 'right');
  const { id, gesture, display, view } = await lastOf(page, 'gesture.settled');
  expect([id, gesture, view]).toEqual(['b', 'window', 'fit']);
  expect(display.voi).toMatchObject({ width: 4096 + 20 * (65535 / 2000) });
  expect(await types(page)).toEqual(['image.chosen', 'gesture.begun', 'gesture.settled']);
});

test('commands rotate the active image and zoom the mount', async ({ page }) => {
  await open(page, { kind: 'mount' });
  const act = await page.evaluate(() => {
    const { stage } = window.gestureTest;
    return [
      stage.act({ type: 'rotate', quarters: 1 }),
      stage.act({ type: 'window', wider: 1, brighter: 0 }),
      stage.act({ type: 'reset' }),
      stage.act({ type: 'actual-size' }),
    ];
  });
  expect(act).toEqual([true, true, true, true]);
  const settled = await allOf(page, 'gesture.settled');
  expect(settled.map(({ id, gesture, display }) => [id, gesture, display.rotation])).toEqual([
    ['a', 'rotate', 90],
    ['a', 'window', 90],
  ]);
  expect((await allOf(page, 'reset.requested')).map(({ id }) => id)).toEqual(['a']);
  // Image a lies at 1:1: 101 pixels on 80 units.
  await expect
    .poll(async () => (await allOf(page, 'view.drawn')).findLast(({ id }) => id === 'a')?.camera.scale)
    .toBeCloseTo(1, 1);
});

test('the magnifier works on a mount, and the wheel changes its factor', async ({ page }) => {
  await open(page, { kind: 'mount' });
  await show(page, { tool: 'magnifier' });
  /** Difference of the grey values of a ramp over 60 pixels: smaller where it is enlarged. */
  const rise = () =>
    page.evaluate(async () => {
      const { pixels, width } = await window.gestureTest.stage.snapshot();
      const grey = (x: number) => pixels[(40 * width + x) * 4] ?? 0;
      return grey(80) - grey(20);
    });
  const images = await page.evaluate(() => window.gestureTest.scene.images);
  const voi = { kind: 'window', centre: 150, width: 100, function: 'LINEAR' } as const;
  await show(page, { images: images.map((image) => ({ ...image, display: { ...image.display, voi } })) });
  const plain = await rise();
  expect(plain).toBeGreaterThan(100);
  await page.mouse.move(...onA);
  expect(await rise()).toBeLessThan(plain * 0.6);
  await page.mouse.wheel(0, -200);
  await page.mouse.move(...onBackground);
  await page.mouse.wheel(0, -200);
  await lastOf(page, 'mount.settled');
  expect(await types(page)).toEqual(['mount.settled']);
});

test('a drag on an image that stays in its slot pans the mount, and a click selects it', async ({ page }) => {
  await open(page, { kind: 'mount' });
  const mount = await page.evaluate(() => window.gestureTest.scene.mount);
  await show(page, { mount: mount && { ...mount, isFixed: true } });
  await page.evaluate(() => window.gestureTest.stage.act({ type: 'zoom', steps: 4 }));
  await clearIntents(page);
  await drag(page, onA, [onA[0] - 30, onA[1] - 20]);
  await lastOf(page, 'mount.settled');
  expect(await types(page)).toEqual(['mount.settled']);
  await page.evaluate(() => window.gestureTest.stage.act({ type: 'fit' }));
  await clearIntents(page);
  await page.mouse.click(...onA);
  expect((await lastOf(page, 'image.chosen')).id).toBe('a');
  const touch = await touchInput(page);
  await touch.tap(...onA);
  expect(await types(page)).not.toContain('image.dragged');
});

test('a pen drags images like a mouse', async ({ page }) => {
  await open(page, { kind: 'mount' });
  const { down, move, up } = await penInput(page);
  await move(...onA);
  await down(...onA);
  await move(70, 40);
  expect((await lastOf(page, 'image.dragged')).id).toBe('a');
  await up(70, 40);
});

test('a long press drags an image; a moving finger pans the mount; two fingers zoom it', async ({ page }) => {
  await open(page, { kind: 'mount' });
  const touch = await touchInput(page);
  await touch.down([160, 150], [240, 150]);
  await touch.move([120, 150], [280, 150]);
  await touch.up();
  const { view } = await lastOf(page, 'mount.settled');
  expect(view).toMatchObject({ zoom: expect.closeTo(2, 4) });
  await clearIntents(page);

  // Enlarged twice about 200, 150: image a ends at 80 units across, that is left of the stage; b begins at 20 pixels.
  await touch.down([60, 20]);
  await touch.move([60, 10]);
  await touch.move([60, 5]);
  await touch.up();
  expect(await types(page)).toEqual(['mount.settled']);
  await clearIntents(page);

  await page.evaluate(() => window.gestureTest.stage.act({ type: 'fit' }));
  await clearIntents(page);
  await touch.down([...onA]);
  const dragged = await lastOf(page, 'image.dragged');
  expect(dragged).toMatchObject({ id: 'a', clientX: onA[0], clientY: onA[1] });
  await touch.up();
  await touch.tap(...onA);
  await touch.tap(...onA);
  expect((await lastOf(page, 'image.opened')).id).toBe('a');
});
