import { expect, type Page } from '@playwright/test';

/**
 * Drops local files and folders onto the page with browser input events, so that folders are
 * delivered as folder entries.
 */
export const dropPaths = async (page: Page, paths: readonly string[]): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const copyMask = 1;
  const data = { items: [], files: [...paths], dragOperationsMask: copyMask };
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
  const point = { x: Math.round(width / 2), y: Math.round(height / 2) };
  const isDropped = await page.evaluateHandle(() => {
    const state = { dropped: false };
    const listen = () => {
      state.dropped = true;
    };
    window.addEventListener('drop', listen, { capture: true, once: true });
    return state;
  });
  // A busy page may lose the drop: it is sent again only if the page has not seen it.
  await expect(async () => {
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, ...point, data });
    await expect.poll(() => isDropped.evaluate(({ dropped }) => dropped), { timeout: 15_000 }).toBe(true);
  }).toPass({ timeout: 60_000 });
  await isDropped.dispose();
  await session.detach();
};
