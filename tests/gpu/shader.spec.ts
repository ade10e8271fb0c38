import { expect, test } from './harness.ts';

test('the shaders match their references, directly and from value buffers', async ({ page }) => {
  const names = await page.evaluate(() => window.suites.caseNames());
  expect(names.length).toBeGreaterThan(90);
  const wrong: string[] = [];
  for (const name of names) {
    const { direct, again, sampleBytes, sampleBytesDue, apart } = await page.evaluate(
      (chosen) => window.suites.runBothWays(chosen),
      name,
    );
    for (const [way, { largest, over, pixels, greyValues }] of Object.entries({ direct, again })) {
      const blank = greyValues < 2 && !name.includes('beyond');
      if (largest > 1 || blank)
        wrong.push(`${name}, ${way}: ${largest} at most, ${over} of ${pixels} pixels, ${greyValues} grey values`);
    }
    if (apart > 1) wrong.push(`${name}: the two ways are ${apart} apart`);
    if (sampleBytes !== sampleBytesDue) wrong.push(`${name}: ${sampleBytes} bytes of samples, not ${sampleBytesDue}`);
  }
  expect(wrong).toEqual([]);
});
