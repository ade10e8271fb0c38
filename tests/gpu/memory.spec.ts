import { expect, serveFiles, test } from './harness.ts';
import { dicomFileOf, renditionsOf } from './rendition-files.ts';

test('of fifty patients opened in turn the last ones stay in the cache, and no memory leaks', async ({ page }) => {
  test.setTimeout(300_000);
  const { full, reduced } = await renditionsOf(
    await dicomFileOf({ rows: 1700, columns: 2400, bits: 16, encoding: 'native' }),
  );
  await serveFiles(page, { 'image-full': full, 'image-reduced': reduced });
  const session = await page.context().newCDPSession(page);
  const usedBytes = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    const usage = await session.send('Runtime.getHeapUsage');
    return usage.usedSize + ('backingStorageSize' in usage ? Number(usage.backingStorageSize) : 0);
  };
  const patientBytes = 6 * 600 * 425 * 2;
  const cacheBytes = 4 * patientBytes;
  const openPatients = (first: number, count: number) =>
    page.evaluate(([from, many, bytes]) => window.suites.openPatients('/given/image', from, many, bytes), [
      first,
      count,
      cacheBytes,
    ] as const);
  const filled = { largest: cacheBytes, loadsAgain: 0 };
  expect(await openPatients(0, 10)).toEqual(filled);
  const before = await usedBytes();
  expect(await openPatients(10, 40)).toEqual(filled);
  const after = await usedBytes();
  console.log(
    `held by the page: ${(before / 1e6).toFixed(1)} MB after 10 patients, ${(after / 1e6).toFixed(1)} MB after 50`,
  );
  // The images of one patient take 3 MB: 40 leaked patients would add 120 MB.
  expect(after - before).toBeLessThan(5e6);
});
