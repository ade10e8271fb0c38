import type { Page } from '@playwright/test';

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
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...point, data });
  await session.detach();
};
