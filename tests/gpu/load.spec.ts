import type { Page } from '@playwright/test';
import { expect, test } from './harness.ts';
import { colourFile, greyFile, greyPackings } from './synthetic-files.ts';

/** Serves bytes under /given/<name>. */
const give = async (page: Page, files: Readonly<Record<string, Uint8Array>>) => {
  await page.route('**/given/*', (route) => {
    const file = files[new URL(route.request().url()).pathname.replace('/given/', '')];
    return file ? route.fulfill({ body: Buffer.from(file) }) : route.fulfill({ status: 404, body: '' });
  });
};

for (const packing of greyPackings) {
  test(`a ${packing} file is drawn to the last grey`, async ({ page }) => {
    for (const photometric of ['MONOCHROME1', 'MONOCHROME2'] as const) {
      const { file, expected } = await greyFile(packing, photometric);
      await give(page, { [`file-${photometric}`]: file, [`reference-${photometric}`]: expected });
      const found = await page.evaluate((given) => window.suites.compareFile(given), {
        file: `/given/file-${photometric}`,
        frame: 1,
        mode: 'window',
        reference: `/given/reference-${photometric}`,
        channels: 1,
      });
      // A grey that lies on the edge between two may fall to either side on a GPU.
      expect(found.largest).toBeLessThanOrEqual(1);
      expect(found.greys).toBeGreaterThan(100);
    }
  });
}

test('a colour file is drawn as it is', async ({ page }) => {
  const { file, expected } = await colourFile();
  await give(page, { file, reference: expected });
  const fileCase = { file: '/given/file', frame: 1, mode: 'color', reference: '/given/reference', channels: 3 };
  const found = await page.evaluate((given) => window.suites.compareFile(given), fileCase);
  expect(found.largest).toBe(0);
});

test('loads that fail or are taken back tell those who asked, and nobody else', async ({ page }) => {
  const { file } = await greyFile('jpeg-ls', 'MONOCHROME2');
  await give(page, { good: file, broken: file.slice(0, file.length - 900) });
  const told = await page.evaluate(() => window.suites.failures('/given/broken', '/given/missing', '/given/good'));
  expect(told).toEqual({
    taken: 'AbortError 20',
    queued: 'AbortError 20',
    again: 'loaded',
    broken: expect.stringMatching(/^DicomProblem /),
    brokenAgain: expect.stringMatching(/^DicomProblem /),
    missing: 'Error the file cannot be had: 404',
    noFrame: 'DicomProblem no-such-frame',
    unhandled: [],
  });
});

test('a picture is fetched once for all who ask, even when one of them goes', async ({ page }) => {
  const { file } = await greyFile('explicit-le', 'MONOCHROME2');
  await give(page, { file });
  const told = await page.evaluate(() => window.suites.sharing('/given/file'));
  expect(told).toEqual({ fetched: 1, gone: 'AbortError 20', same: true });
});

test('the cache keeps to its bounds, the oldest picture gives way', async ({ page }) => {
  const { file } = await greyFile('explicit-le', 'MONOCHROME2');
  await give(page, { one: file, other: file });
  const fetched = await page.evaluate(() => window.suites.bounded('/given/one', '/given/other'));
  expect(fetched).toEqual(['one', 'other', 'one']);
});

test('noise filter and sharpening work in the worker as on paper', async ({ page }) => {
  const { file } = await greyFile('explicit-le', 'MONOCHROME2');
  await give(page, { file });
  const told = await page.evaluate(() => window.suites.filtered('/given/file'));
  expect(told).toEqual({ differences: 0, changed: expect.any(Number), same: true });
  expect(told.changed).toBeGreaterThan(100);
});
