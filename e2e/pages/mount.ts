import { type CDPSession, expect, type Locator, type Page } from '@playwright/test';

interface Point {
  readonly x: number;
  readonly y: number;
}

const middleOf = async (locator: Locator): Promise<Point> => {
  await locator.scrollIntoViewIfNeeded();
  const box = await locator.boundingBox();
  if (!box) throw new Error('The element has no box');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** One finger, sent as touch events over CDP. */
const finger = async (page: Page) => {
  const session: CDPSession = await page.context().newCDPSession(page);
  /** `timestamp`: in seconds of the epoch; now without it. */
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly Point[], timestamp?: number) => {
    const touchPoints = points.map(({ x, y }) => ({ x, y }));
    return session.send('Input.dispatchTouchEvent', { type, touchPoints, ...(timestamp && { timestamp }) });
  };
  return {
    /**
     * Moves first vertically, then horizontally: sideways a strip would scroll. `started` is awaited after the first movement;
     * if it fails, the finger is lifted where it is.
     */
    drag: async (from: Point, to: Point, started: () => Promise<void> = async () => {}) => {
      const rise = async (parts: readonly number[]) => {
        for (const part of parts) await touch('touchMove', [{ x: from.x, y: from.y + (to.y - from.y) * part }]);
      };
      await touch('touchStart', [from]);
      await rise([0.1, 0.3]);
      await started().catch(async (error: unknown) => {
        await touch('touchEnd', []);
        throw error;
      });
      await rise([0.5, 0.7, 0.9, 1]);
      for (const part of [0.5, 1]) await touch('touchMove', [{ x: from.x + (to.x - from.x) * part, y: to.y }]);
      await touch('touchEnd', []);
      await session.detach();
    },
    /** Double tap within 150 ms of the events' own time, however busy the machine is. */
    doubleTap: async (at: Point) => {
      const now = Date.now() / 1_000;
      await Promise.all([
        touch('touchStart', [at], now - 0.2),
        touch('touchEnd', [], now - 0.15),
        touch('touchStart', [at], now - 0.1),
        touch('touchEnd', [], now - 0.05),
      ]);
      await session.detach();
    },
    /** Long press until something has happened, then continues from there. */
    hold: async (from: Point, until: () => Promise<void>, to: Point) => {
      await touch('touchStart', [from]);
      await until();
      for (const part of [0.2, 0.6, 1])
        await touch('touchMove', [{ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }]);
      await touch('touchEnd', []);
      await session.detach();
    },
  };
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
