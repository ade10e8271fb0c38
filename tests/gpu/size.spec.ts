import { gzipSync } from 'node:zlib';
import { expect, test } from './harness.ts';

/** Size limit of the code needed for the first picture, without workers and codecs. */
const budgetBytes = 250_000;

test('the viewer bundle stays small, without vtk.js and dcmjs', async ({ page, site }) => {
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.js') && !name.includes('worker')),
  );
  expect(scripts.length).toBeGreaterThan(0);
  let compressed = 0;
  for (const script of scripts) {
    const body = await (await page.request.get(new URL(script, site).href)).body();
    compressed += gzipSync(body).length;
    const text = body.toString();
    expect(text).not.toContain('vtkOpenGLRenderWindow');
    expect(text).not.toContain('DicomMetaDictionary');
  }
  expect(compressed).toBeLessThan(budgetBytes);
});
