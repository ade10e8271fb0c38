import type { Page } from '@playwright/test';
import type { BoardView } from '../../src/viewer/index.ts';
import { allOf, drag, fingers, forget, lastOf, open, pen, show, told } from './hands-on.ts';
import { expect, test } from './harness.ts';

/** One board unit is one CSS pixel when the board is whole. Image a is at 10, 10 and b at 110, 10, each 80 x 60. */
const onA = [50, 40] as const;
const onGround = [300, 200] as const;

const types = async (page: Page) =>
  (await told(page)).map(({ type }) => type).filter((type) => !/drawn$|^pointer/.test(type));

for (const deviceScaleFactor of [1, 2]) {
  test.describe(`${deviceScaleFactor} device pixels for a CSS pixel`, () => {
    test.use({ deviceScaleFactor });

    test('the board tells where it lies in CSS pixels, in the very frame', async ({ page }) => {
      await open(page, { kind: 'board' });
      expect(await lastOf(page, 'board.drawn')).toMatchObject({ left: 0, top: 0, scale: 1 });
      await page.mouse.move(...onA);
      await page.mouse.wheel(0, -200);
      const { view } = await lastOf(page, 'board.settled');
      if (view === 'fit') throw new Error('whole');
      // How far a turn goes in CSS pixels is the browser's business.
      expect(view.zoom).toBeGreaterThan(1.2);
      const { left, top, scale } = await lastOf(page, 'board.drawn');
      expect(scale).toBeCloseTo(view.zoom, 6);
      // The board point under the pointer has stayed, to a device pixel.
      expect(Math.abs((onA[0] - left) / scale - onA[0])).toBeLessThan(1);
      expect(Math.abs((onA[1] - top) / scale - onA[1])).toBeLessThan(1);
      const same = await page.evaluate(() => {
        const { stage, told: intents } = window.played;
        stage.act({ type: 'fit' });
        const before = intents.length;
        return new Promise((resolve) =>
          requestAnimationFrame(() =>
            resolve(intents.slice(before).some((intent) => intent.type === 'board.drawn' && intent.scale === 1)),
          ),
        );
      });
      expect(same).toBe(true);
    });

    test('what a hand moved is drawn as finely at rest as if it had always lain there', async ({ page }) => {
      const openGrainy = async (boardView: BoardView) => {
        await open(page, { kind: 'board', grainy: true, boardView });
        await page.evaluate(() => {
          const voi = { kind: 'window', centre: 150, width: 110, function: 'LINEAR' } as const;
          const { images } = window.played.scene;
          return window.played.show({ images: images.map((one) => ({ ...one, display: { ...one.display, voi } })) });
        });
      };
      await openGrainy('fit');
      await page.mouse.move(...onA);
      await page.mouse.wheel(0, -40);
      const { view } = await lastOf(page, 'board.settled');
      const pixels = () =>
        page.evaluate(async () => {
          const { width, height, pixels: shown } = await window.played.stage.snapshot();
          const digest = await crypto.subtle.digest('SHA-256', shown);
          return { width, height, greys: new Set(shown).size, digest: [...new Uint8Array(digest)] };
        });
      const rested = await pixels();
      expect(rested.greys).toBeGreaterThan(20);
      await openGrainy(view);
      expect(await pixels()).toEqual(rested);
    });

    test('a click chooses, a double click opens, the ground says where it was pressed', async ({ page }) => {
      await open(page, { kind: 'board' });
      await page.mouse.click(150, 40);
      expect(await types(page)).toEqual(['image.chosen']);
      expect((await lastOf(page, 'image.chosen')).id).toBe('b');
      await page.mouse.dblclick(150, 40);
      expect((await lastOf(page, 'image.opened')).id).toBe('b');
      await forget(page);
      await page.mouse.click(...onGround);
      expect(await types(page)).toEqual(['board.pressed']);
      const { x, y } = await lastOf(page, 'board.pressed');
      expect([x, y]).toEqual([expect.closeTo(300, 6), expect.closeTo(200, 6)]);
      await page.mouse.click(...onGround, { button: 'right' });
      expect(await types(page)).toEqual(['board.pressed']);
    });

    test('an image is carried after six pixels, and the stage lets the pointer go', async ({ page }) => {
      await open(page, { kind: 'board' });
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
      const carried = await lastOf(page, 'image.carried');
      expect(carried).toMatchObject({ id: 'a', clientX: onA[0], clientY: onA[1] });
      // Outside the stage now: a captured pointer would still be the canvas's.
      await page.mouse.move(600, 500);
      await page.mouse.up();
      const followed = await page.evaluate(() => Reflect.get(window, 'followed') as string[]);
      expect(followed.at(-1)).toBe('pointerup html');
      expect(await types(page)).toEqual(['image.carried']);
    });
  });
}

test('the middle button, the space bar and a drag on the ground move the board', async ({ page }) => {
  await open(page, { kind: 'board' });
  await page.evaluate(() => window.played.stage.act({ type: 'zoom', steps: 4 }));
  const zoom = 1.25 ** 4;
  const settled = async () => {
    const { view } = await lastOf(page, 'board.settled');
    if (view === 'fit') throw new Error('whole');
    return view;
  };
  const before = await settled();
  await forget(page);
  await drag(page, onA, [80, 60], 'middle');
  const after = await settled();
  expect(after.centreX).toBeCloseTo(before.centreX - 30 / zoom, 6);
  expect(after.centreY).toBeCloseTo(before.centreY - 20 / zoom, 6);
  await page.keyboard.down(' ');
  await drag(page, [80, 60], onA);
  await page.keyboard.up(' ');
  expect((await settled()).centreX).toBeCloseTo(before.centreX, 6);
  await drag(page, onGround, [310, 200]);
  expect((await settled()).centreX).toBeCloseTo(before.centreX - 10 / zoom, 6);
  expect(await types(page)).toEqual(['board.settled', 'board.settled', 'board.settled']);
});

test('the right button sets the window of an image, which is chosen by it', async ({ page }) => {
  await open(page, { kind: 'board' });
  await drag(page, [150, 40], [170, 40], 'right');
  const { id, gesture, display, view } = await lastOf(page, 'gesture.settled');
  expect([id, gesture, view]).toEqual(['b', 'window', 'fit']);
  expect(display.voi).toMatchObject({ width: 4096 + 20 * (65535 / 2000) });
  expect(await types(page)).toEqual(['image.chosen', 'gesture.begun', 'gesture.settled']);
});

test('commands turn the active image, and look at the board', async ({ page }) => {
  await open(page, { kind: 'board' });
  const act = await page.evaluate(() => {
    const { stage } = window.played;
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
    ['a', 'reset', 0],
  ]);
  // Image a lies at 1:1: 101 pixels on 80 units.
  await expect
    .poll(async () => (await allOf(page, 'view.drawn')).findLast(({ id }) => id === 'a')?.camera.scale)
    .toBeCloseTo(1, 1);
});

test('the magnifier lies over the board too, and the wheel is its own then', async ({ page }) => {
  await open(page, { kind: 'board' });
  await show(page, { tool: 'magnifier' });
  /** How much the greys of a ramp differ over 60 pixels: less where it is enlarged. */
  const rise = () =>
    page.evaluate(async () => {
      const { pixels, width } = await window.played.stage.snapshot();
      const grey = (x: number) => pixels[(40 * width + x) * 4] ?? 0;
      return grey(80) - grey(20);
    });
  const images = await page.evaluate(() => window.played.scene.images);
  const voi = { kind: 'window', centre: 150, width: 100, function: 'LINEAR' } as const;
  await show(page, { images: images.map((image) => ({ ...image, display: { ...image.display, voi } })) });
  const plain = await rise();
  expect(plain).toBeGreaterThan(100);
  await page.mouse.move(...onA);
  expect(await rise()).toBeLessThan(plain * 0.6);
  await page.mouse.wheel(0, -200);
  await page.mouse.move(...onGround);
  await page.mouse.wheel(0, -200);
  await lastOf(page, 'board.settled');
  expect(await types(page)).toEqual(['board.settled']);
});

test('a pen carries like a mouse', async ({ page }) => {
  await open(page, { kind: 'board' });
  const { down, move, up } = await pen(page);
  await move(...onA);
  await down(...onA);
  await move(70, 40);
  expect((await lastOf(page, 'image.carried')).id).toBe('a');
  await up(70, 40);
});

test('a finger that rests picks an image up; one that moves, moves the board; two enlarge it', async ({ page }) => {
  await open(page, { kind: 'board' });
  const touch = await fingers(page);
  await touch.down([160, 150], [240, 150]);
  await touch.move([120, 150], [280, 150]);
  await touch.up();
  const { view } = await lastOf(page, 'board.settled');
  expect(view).toMatchObject({ zoom: expect.closeTo(2, 4) });
  await forget(page);

  // Enlarged twice about 200, 150: image a ends at 80 units across, that is left of the stage; b begins at 20 pixels.
  await touch.down([60, 20]);
  await touch.move([60, 10]);
  await touch.move([60, 5]);
  await touch.up();
  expect(await types(page)).toEqual(['board.settled']);
  await forget(page);

  await page.evaluate(() => window.played.stage.act({ type: 'fit' }));
  await forget(page);
  await touch.down([...onA]);
  const carried = await lastOf(page, 'image.carried');
  expect(carried).toMatchObject({ id: 'a', clientX: onA[0], clientY: onA[1] });
  await touch.up();
  await touch.tap(...onA);
  await touch.tap(...onA);
  expect((await lastOf(page, 'image.opened')).id).toBe('a');
});
