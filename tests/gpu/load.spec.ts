import { expect, serveFiles, test } from './harness.ts';
import { colourFile, greyFile, greyPackings } from './synthetic-files.ts';

for (const encoding of greyPackings) {
  test(`a ${encoding} file is drawn exactly`, async ({ page }) => {
    for (const photometric of ['MONOCHROME1', 'MONOCHROME2'] as const) {
      const { file, expected } = await greyFile(encoding, photometric);
      await serveFiles(page, { [`file-${photometric}`]: file, [`reference-${photometric}`]: expected });
      const found = await page.evaluate((given) => window.suites.compareFile(given), {
        file: `/given/file-${photometric}`,
        frame: 1,
        mode: 'window',
        reference: `/given/reference-${photometric}`,
        channels: 1,
      });
      // A value between two grey levels may be rounded either way on a GPU.
      expect(found.largest).toBeLessThanOrEqual(1);
      expect(found.greyValues).toBeGreaterThan(100);
    }
  });
}

test('a colour file is drawn as it is', async ({ page }) => {
  const { file, expected } = await colourFile();
  await serveFiles(page, { file, reference: expected });
  const fileCase = { file: '/given/file', frame: 1, mode: 'color', reference: '/given/reference', channels: 3 };
  const found = await page.evaluate((given) => window.suites.compareFile(given), fileCase);
  expect(found.largest).toBe(0);
});

test('failed and aborted loads reject only the promises of their callers', async ({ page }) => {
  const { file } = await greyFile('jpeg-ls', 'MONOCHROME2');
  await serveFiles(page, { good: file, broken: file.slice(0, file.length - 900) });
  const result = await page.evaluate(() =>
    window.suites.loadFailures('/given/broken', '/given/missing', '/given/good'),
  );
  expect(result).toEqual({
    running: 'AbortError 20',
    queued: 'AbortError 20',
    again: 'loaded',
    broken: expect.stringMatching(/^DicomProblem /),
    brokenAgain: expect.stringMatching(/^DicomProblem /),
    missing: 'Error The file could not be loaded: 404',
    noFrame: 'DicomProblem no-such-frame',
    unhandled: [],
  });
});

test('a picture is fetched once for all callers, even when one of them aborts', async ({ page }) => {
  const { file } = await greyFile('explicit-le', 'MONOCHROME2');
  await serveFiles(page, { file });
  const result = await page.evaluate(() => window.suites.sharedLoad('/given/file'));
  expect(result).toEqual({ fetched: 1, aborted: 'AbortError 20', same: true });
});

test('the cache evicts the oldest picture at its limit', async ({ page }) => {
  const { file } = await greyFile('explicit-le', 'MONOCHROME2');
  await serveFiles(page, { one: file, other: file });
  const fetched = await page.evaluate(() => window.suites.fetchesWithSmallCache('/given/one', '/given/other'));
  expect(fetched).toEqual(['one', 'other', 'one']);
});

test('filters give the same result in the worker as when called directly', async ({ page }) => {
  const { file } = await greyFile('explicit-le', 'MONOCHROME2');
  await serveFiles(page, { file });
  const result = await page.evaluate(() => window.suites.filtered('/given/file'));
  expect(result).toEqual({ differences: 0, changed: expect.any(Number), same: true });
  expect(result.changed).toBeGreaterThan(100);
});
