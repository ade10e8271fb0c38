import { expect, test } from './harness.ts';

test('the window shader draws what its twin computes', async ({ page }) => {
  const names = await page.evaluate(() => window.suites.caseNames());
  expect(names.length).toBeGreaterThan(50);
  const wrong: string[] = [];
  for (const name of names) {
    const { largest, over, pixels, greys } = await page.evaluate((chosen) => window.suites.runCase(chosen), name);
    const blank = greys < 2 && !name.includes('beyond');
    if (largest > 1 || blank) wrong.push(`${name}: ${largest} at most, ${over} of ${pixels} pixels, ${greys} greys`);
  }
  expect(wrong).toEqual([]);
});
