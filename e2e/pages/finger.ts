import type { CDPSession, Page } from '@playwright/test';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** One finger, sent as touch events over CDP. */
export const finger = async (page: Page) => {
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
    /** Straight from one point to the other. */
    draw: async (from: Point, to: Point) => {
      await touch('touchStart', [from]);
      for (const part of [0.1, 0.3, 0.5, 0.7, 0.9, 1])
        await touch('touchMove', [{ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }]);
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
