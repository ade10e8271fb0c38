import type { Page } from '@playwright/test';

/** Throttles the network so that an upload can be interrupted; 0: unlimited. */
export const slowNetwork = async (page: Page, bytesPerSecond: number): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond === 0 ? -1 : bytesPerSecond,
  });
};
