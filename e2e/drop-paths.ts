import type { Page } from '@playwright/test';

/**
 * Lets files and folders of this machine fall onto the page, as a person drags them from a window of the system: the browser itself opens them, so
 * that folders are folders.
 */
export const dropPaths = async (page: Page, paths: readonly string[]): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const copyMask = 1;
  const data = { items: [], files: [...paths], dragOperationsMask: copyMask };
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
  const place = { x: Math.round(width / 2), y: Math.round(height / 2) };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...place, data });
  await session.detach();
};
