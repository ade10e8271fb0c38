import { expect, type Locator, type Page } from '@playwright/test';
import { finger, type Point } from './finger.ts';

const middleOf = async (locator: Locator): Promise<Point> => {
  await locator.scrollIntoViewIfNeeded();
  const box = await locator.boundingBox();
  if (!box) throw new Error('The element has no box');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** The mount on the patient page, and the tray below it. */
export const mountPage = (page: Page) => {
  const slots = page.getByRole('listbox', { name: /^Slots of / });
  const slot = (number: number) => slots.getByRole('option', { name: new RegExp(`^Slot ${number}(,|$)`) });
  const filled = slots.locator('[role=option]:not([data-empty])');
  const tray = page.getByRole('listbox', { name: 'Images in the tray' });
  const trayImages = tray.getByRole('option');
  const isDrawn = () =>
    expect(page.getByRole('region', { name: 'Image viewer' })).toHaveAttribute('aria-busy', 'false');
  const carrying = (timeout?: number) => expect(page.locator('html')).toHaveAttribute('data-dragging', '', { timeout });
  return {
    slots,
    slot,
    filled,
    trayImages,
    /** All changes are saved. */
    saved: (path: string) =>
      page.waitForResponse((reply) => reply.url().includes(path) && reply.request().method() !== 'GET' && reply.ok()),
    choose: async (number: number) => {
      for (const digit of String(number)) await page.keyboard.press(digit);
      await expect(slot(number)).toHaveAttribute('aria-selected', 'true');
      await isDrawn();
    },
    /** The image of the selected slot is loaded, so that the viewer's keys change it. */
    isDrawn,
    press: (key: string) => page.keyboard.press(key),
    isFilled: (number: number) => expect(slot(number)).not.toHaveAttribute('data-empty'),
    isEmpty: (number: number) => expect(slot(number)).toHaveAttribute('data-empty', 'true'),
    tap: async (number: number) => {
      const { x, y } = await middleOf(slot(number));
      await page.touchscreen.tap(x, y);
    },
    doubleTap: async (number: number) => {
      const at = await middleOf(slot(number));
      await (await finger(page)).doubleTap(at);
    },
    /** By touch, from the tray into a slot. */
    dragFromTray: async (number: number) => {
      // Chromium takes a touch for a scroll until its compositor has the new layout.
      await expect(async () => {
        const [from, to] = [await middleOf(trayImages.first()), await middleOf(slot(number))];
        await (await finger(page)).drag(from, to, () => carrying(2_000));
      }).toPass();
    },
    /** By touch, after a long press on a mounted image. */
    dragToTray: async (number: number) => {
      const [from, to] = [await middleOf(slot(number)), await middleOf(page.getByRole('region', { name: 'Tray' }))];
      await (await finger(page)).hold(from, () => carrying(), to);
    },
    /** With the mouse, to the row of a mount in the list. */
    dragSlotToMount: async (number: number, row: Locator) => {
      const [from, to] = [await middleOf(slot(number)), await middleOf(row)];
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x - 20, from.y, { steps: 4 });
      await carrying();
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await expect(page.locator('[data-drop-mount][data-target]')).toBeVisible();
      await page.mouse.up();
    },
    /** By touch, after a long press on a thumbnail of the list. */
    dragFromList: async (thumbnail: Locator, number: number) => {
      const [from, to] = [await middleOf(thumbnail), await middleOf(slot(number))];
      await (await finger(page)).hold(from, () => carrying(), to);
    },
    swipe: async (by: Point) => {
      const from = await middleOf(page.getByRole('region', { name: 'Image viewer' }));
      await (await finger(page)).drag(from, { x: from.x + by.x, y: from.y + by.y });
    },
  };
};
