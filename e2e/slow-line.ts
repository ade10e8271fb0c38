import type { Page } from '@playwright/test';

/** A line so slow that an upload can be caught in the middle; 0: as fast as it is. */
export const slowLine = async (page: Page, bytesPerSecond: number): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 0, downloadThroughput: -1 },
    uploadThroughput: bytesPerSecond === 0 ? -1 : bytesPerSecond,
  });
};
