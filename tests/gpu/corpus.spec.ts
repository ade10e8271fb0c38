import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { corpusFolder, corpusIsThere, referenceExceptions, referencePath, referencePictures } from '../dicom/corpus.ts';
import { type GreyRow, writeGreyTable } from './grey-table.ts';
import { expect, test } from './harness.ts';

if (!corpusIsThere) console.log(`no corpus at ${corpusFolder}: the viewer is not compared with other renderers`);

test.describe('real files', () => {
  test.skip(!corpusIsThere, 'the corpus is not there');
  test.setTimeout(300_000);

  test('are drawn with the same grey values as by other renderers', async ({ page }) => {
    const pictures = referencePictures();
    expect(pictures.length).toBeGreaterThanOrEqual(150);
    const references = new Map<string, Buffer>();
    await page.route('**/corpus/**', (route) => {
      const name = decodeURIComponent(new URL(route.request().url()).pathname.replace('/corpus/', ''));
      return route.fulfill({ body: readFileSync(path.join(corpusFolder, name)) });
    });
    await page.route('**/reference/*', (route) =>
      route.fulfill({ body: references.get(new URL(route.request().url()).pathname) ?? '' }),
    );

    const rows: GreyRow[] = [];
    const wrong: string[] = [];
    for (const [index, picture] of pictures.entries()) {
      const { file, frame, mode } = picture;
      const { data, info } = await sharp(referencePath(picture))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const reference = `/reference/${index}`;
      references.set(reference, data);
      const fileCase = { file: `/corpus/${encodeURI(file)}`, frame, mode, reference, channels: info.channels };
      const exception = referenceExceptions[`${file} frame ${frame} ${mode}`];
      try {
        const found = await page.evaluate((given) => window.suites.compareFile(given), fileCase);
        const limit = found.lossy ? 3 : 2;
        rows.push({ file, frame, mode, ...found, limit, note: exception?.cause ?? '' });
        // A grey pixel has three equal channels.
        if (found.over > (exception?.points ?? 0) * 3) wrong.push(`${file} ${frame} ${mode}: ${found.largest}`);
      } catch (problem) {
        const note = problem instanceof Error ? (problem.message.split('\n')[0] ?? '') : String(problem);
        rows.push({ file, frame, mode, syntax: '', largest: 255, limit: 2, over: 0, pixels: 0, note });
        wrong.push(`${file} ${frame} ${mode}: ${note}`);
      }
      references.delete(reference);
    }
    writeGreyTable(rows);
    expect(wrong).toEqual([]);
  });
});
