import { expect, type Page } from '@playwright/test';
import { greyStatisticsOf, greyValuesOf } from './grey-values.ts';

/** Patient page object: studies, mounts, the active image, files dropped onto it. */
export const patientPage = (page: Page) => {
  const viewer = page.getByRole('region', { name: 'Image viewer' });
  const tool = (name: string) => page.getByRole('toolbar', { name: 'Image tools' }).getByRole('button', { name });
  const overlay = () => viewer.innerText();
  /** Returns the grey values of the viewer on screen, 0 to 255, row by row. */
  const pixels = async () => greyValuesOf(page, await viewer.screenshot());
  return {
    viewer,
    images: () => page.locator('a[aria-label^="Open "]'),
    thumbnails: () => page.locator('a[aria-label^="Open "] img'),
    openFirstImage: async () => {
      await page.locator('a[aria-label^="Open "]').first().click();
      await expect(viewer).toHaveAttribute('aria-busy', 'false');
      await expect(viewer).toContainText(/C -?[\d.,]+\s+W [\d.,]+/);
    },
    tool,
    /** Taps a tool; opens "More tools" first where the toolbar has no room for it. */
    tapTool: async (name: string) => {
      if ((await tool(name).count()) === 0) await tool('More tools').tap();
      await tool(name).or(page.getByRole('menuitem', { name })).tap();
    },
    windowText: async () =>
      /C (-?[\d.,]+)\s+W ([\d.,]+)/
        .exec(await overlay())
        ?.slice(1)
        .map((text) => Number(text.replaceAll(',', ''))) ?? [],
    zoomText: async () => Number(/([\d.]+) %/.exec(await overlay())?.[1] ?? Number.NaN),
    drag: async (byX: number, byY: number) => {
      const box = await viewer.boundingBox();
      if (!box) throw new Error('The viewer is not on the page');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + byX / 2, y + byY / 2);
      await page.mouse.move(x + byX, y + byY);
      await page.mouse.up();
    },
    /** Returns the grey values once two successive reads are equal. */
    restingPixels: async () => {
      let last: number[] = [];
      await expect
        .poll(
          async () => {
            const now = await pixels();
            const same = now.length === last.length && now.every((grey, index) => grey === last[index]);
            last = now;
            return same;
          },
          { timeout: 60_000 },
        )
        .toBe(true);
      return last;
    },
    /** Returns mean and standard deviation of the grey values, 0 to 255. */
    greyStatistics: async () => greyStatisticsOf(await pixels()),
    /** Returns the mean difference from earlier grey values; 255 for another size. */
    differenceFrom: async (before: readonly number[]) => {
      const now = await pixels();
      if (now.length !== before.length) return 255;
      return now.reduce((sum, grey, index) => sum + Math.abs(grey - (before[index] ?? 0)), 0) / now.length;
    },
  };
};
