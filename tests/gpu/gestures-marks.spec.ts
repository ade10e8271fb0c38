import type { Page } from '@playwright/test';
import { allOf, clearIntents, lastOf, open, show, touchInput } from './gesture-driver.ts';
import { expect, test } from './harness.ts';

/** The picture of 101 x 67 on 400 x 300: its top lies 17 CSS pixels down. */
const scale = 400 / 101;
const top = (300 - 67 * scale) / 2;
const at = (column: number, row: number): [number, number] => [column * scale, top + row * scale];

const patient = { rowMm: 0.1, columnMm: 0.1, kind: 'patient' } as const;
const texts = (page: Page) => page.locator('[data-mark] text').allTextContents();

const click = async (page: Page, point: readonly [number, number]) => {
  await page.mouse.move(...point);
  await page.mouse.down();
  await page.mouse.up();
};

for (const deviceScaleFactor of [1, 2]) {
  test.describe(`${deviceScaleFactor} device pixels for a CSS pixel`, () => {
    test.use({ deviceScaleFactor });

    test('draws a length by two clicks, moves it with the picture, and drags its end points', async ({ page }) => {
      await open(page, { kind: 'single', spacing: patient });
      await show(page, { tool: 'length' });
      await click(page, at(10, 30));
      await page.mouse.move(...at(40, 30));
      await expect.poll(() => texts(page)).toEqual(['3,0 mm']);
      await click(page, at(60, 30));
      const { id, marks } = await lastOf(page, 'marks.settled');
      expect([id, marks.length, marks[0]?.kind, marks[0]?.frame]).toEqual(['a', 1, 'length', 1]);
      const points = marks[0]?.points.flat() ?? [];
      for (const [index, value] of [10, 30, 60, 30].entries()) expect(points[index]).toBeCloseTo(value, 0);
      await expect.poll(() => texts(page)).toEqual(['5,0 mm']);
      await expect(page.getByRole('img', { name: 'Längd: 5,0 mm' })).toHaveCount(1);
      // An end lies where the pixel lies on the screen, to a pixel.
      await expect
        .poll(async () => {
          const end = await page.locator('[data-mark] circle').last().boundingBox();
          return Math.abs((end?.x ?? 0) + (end?.width ?? 0) / 2 - at(60, 30)[0]);
        })
        .toBeLessThan(1.6);

      await page.mouse.move(...at(60, 30));
      await page.mouse.down();
      await page.mouse.move(...at(70, 30));
      await page.mouse.move(...at(90, 30));
      expect(await allOf(page, 'marks.settled')).toHaveLength(1);
      await page.mouse.up();
      await expect.poll(() => texts(page)).toEqual(['8,0 mm']);
      expect(await allOf(page, 'marks.settled')).toHaveLength(2);

      await page.evaluate(() => window.gestureTest.stage.act({ type: 'flip', axis: 'horizontal' }));
      await expect
        .poll(async () => Math.round((await page.locator('[data-mark] circle').last().boundingBox())?.x ?? 0))
        .toBeLessThan(100);
    });

    test('draws a length by a drag, selects it by a click, deletes it by a key', async ({ page }) => {
      await open(page, { kind: 'single', spacing: { ...patient, kind: 'detector' } });
      await show(page, { tool: 'length' });
      await page.mouse.move(...at(10, 10));
      await page.mouse.down();
      await page.mouse.move(...at(20, 20));
      await page.mouse.move(...at(40, 50));
      await page.mouse.up();
      await expect.poll(() => texts(page)).toEqual(['5,0 mm vid detektorn']);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Delete');
      expect(await texts(page)).toHaveLength(1);
      await click(page, at(25, 30));
      await page.keyboard.press('Delete');
      await expect.poll(() => texts(page)).toEqual([]);
      expect((await lastOf(page, 'marks.settled')).marks).toEqual([]);
    });
  });
}

test('draws an angle with three points; Escape cancels a started one', async ({ page }) => {
  await open(page, { kind: 'single' });
  await show(page, { tool: 'angle' });
  await click(page, at(20, 10));
  await page.mouse.move(...at(20, 50));
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-mark]')).toHaveCount(0);
  await click(page, at(20, 10));
  await click(page, at(20, 50));
  await click(page, at(60, 50));
  const { marks } = await lastOf(page, 'marks.settled');
  expect(marks.map(({ kind }) => kind)).toEqual(['angle']);
  await expect.poll(async () => Number.parseFloat((await texts(page))[0] ?? '')).toBeCloseTo(90, -0.5);
  await expect(page.getByRole('img', { name: /^Vinkel: / })).toHaveCount(1);
});

test('measures by taps; two fingers zoom instead', async ({ page }) => {
  await open(page, { kind: 'single' });
  await show(page, { tool: 'length' });
  const touch = await touchInput(page);
  await touch.tap(...at(10, 30));
  await touch.tap(...at(60, 30));
  await expect.poll(() => texts(page)).toEqual(['50 px ej kalibrerad']);
  await clearIntents(page);
  await touch.down([160, 50], [240, 50]);
  await touch.move([150, 50], [250, 50]);
  await touch.up();
  expect((await lastOf(page, 'gesture.settled')).gesture).toBe('zoom');
  expect(await allOf(page, 'marks.settled')).toEqual([]);
});

test('a calibration line requests its length; afterwards lengths are calibrated', async ({ page }) => {
  await open(page, { kind: 'single', spacing: { ...patient, kind: 'detector' } });
  await show(page, { tool: 'calibrate' });
  await click(page, at(10, 30));
  await click(page, at(60, 30));
  const { id, lengthPixels } = await lastOf(page, 'calibration.drawn');
  expect(id).toBe('a');
  expect(lengthPixels).toBeCloseTo(50, 0);
  await expect.poll(() => texts(page)).toEqual(['50 px']);
  const images = await page.evaluate(() => window.gestureTest.scene.images);
  const id2 = '00000000-0000-4000-8000-000000000001';
  await show(page, {
    tool: 'window',
    images: images.map((image) => ({
      ...image,
      calibration: { mmPerPixel: 0.2 },
      marks: [
        {
          id: id2,
          kind: 'length',
          frame: 1,
          points: [
            [10, 10],
            [60, 10],
          ],
        },
        {
          id: '00000000-0000-4000-8000-000000000002',
          kind: 'length',
          frame: 2,
          points: [
            [10, 20],
            [60, 20],
          ],
        },
      ],
    })),
  });
  expect(await texts(page)).toEqual(['10,0 mm kalibrerad']);
});
