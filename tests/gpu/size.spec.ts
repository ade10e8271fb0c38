import { gzipSync } from 'node:zlib';
import { expect, test } from './harness.ts';

/** What a person waits for before the first picture, workers and codecs aside. */
const budgetBytes = 250_000;

test('the viewer stays small, and brings neither vtk.js nor dcmjs', async ({ page, site }) => {
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
