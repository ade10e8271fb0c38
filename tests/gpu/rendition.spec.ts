import { overlayElements } from '../dicom/build-state.ts';
import { expect, serveFiles, test } from './harness.ts';
import { dicomFileOf, renditionsOf, type TestImage } from './rendition-files.ts';

/** Each with the pixel format and the size of the reduced rendition: level, reduction factor, columns x rows. */
const testImages: Readonly<Record<string, readonly [TestImage, string, string]>> = {
  'JPEG 2000 of 16 bits': [{ rows: 1301, columns: 903, bits: 16, encoding: 'jpeg-2000' }, 'u16', 'reduced 2 452 x 651'],
  'JPEG-LS of 12 bits': [{ rows: 601, columns: 2101, bits: 12, encoding: 'jpeg-ls' }, 'u16', 'reduced 4 526 x 151'],
  'JPEG XL of 12 bits': [{ rows: 1301, columns: 61, bits: 12, encoding: 'jpeg-xl' }, 'u16', 'reduced 2 31 x 651'],
  'signed with padding, a slope and no window': [
    {
      rows: 1290,
      columns: 77,
      bits: 16,
      signed: true,
      encoding: 'jpeg-2000',
      attributes: { PixelPaddingValue: -32768, RescaleSlope: 0.5, RescaleIntercept: -7 },
    },
    's16',
    'reduced 2 39 x 645',
  ],
  '8 bits, uncompressed': [{ rows: 1283, columns: 61, bits: 8, encoding: 'native' }, 'u8', 'reduced 2 31 x 642'],
  colour: [{ rows: 1301, columns: 51, bits: 8, colour: true, encoding: 'native' }, 'rgba8', 'reduced 2 26 x 651'],
};

for (const [name, [testImage, format, level]] of Object.entries(testImages)) {
  test(`renditions decode to the values of their file: ${name}`, async ({ page }) => {
    const file = await dicomFileOf(testImage);
    await serveFiles(page, { file, ...(await renditionsOf(file)) });
    const at = { file: '/given/file', full: '/given/full', reduced: '/given/reduced', means: '/given/means' };
    expect(await page.evaluate((given) => window.suites.compareRenditions(given), at)).toEqual({
      full: 0,
      reduced: 0,
      sameProperties: true,
      format,
      planes: [],
      level: `${level} of ${testImage.columns} x ${testImage.rows}`,
    });
  });
}

test('renditions have the overlay planes of their file', async ({ page }) => {
  const plain = Buffer.from(await dicomFileOf({ rows: 1283, columns: 61, bits: 8, encoding: 'native' }));
  const pixelData = plain.indexOf(Buffer.from([0xe0, 0x7f, 0x10, 0x00]));
  const overlay = Buffer.from(overlayElements({ rows: ['x.x.', '.x.x'] }));
  const file = Buffer.concat([plain.subarray(0, pixelData), overlay, plain.subarray(pixelData)]);
  await serveFiles(page, { file, ...(await renditionsOf(file)) });
  const at = { file: '/given/file', full: '/given/full', reduced: '/given/reduced', means: '/given/means' };
  const compared = await page.evaluate((given) => window.suites.compareRenditions(given), at);
  expect(compared).toMatchObject({ full: 0, reduced: 0, sameProperties: true, planes: [[0b10100101]] });
});

test('a mount of twenty large images loads reduced renditions, and a zoomed image its full one', async ({ page }) => {
  const file = await dicomFileOf({ rows: 1700, columns: 2400, bits: 16, encoding: 'jpeg-ls' });
  const { full, reduced } = await renditionsOf(file);
  await serveFiles(page, { 'large-full': full, 'large-reduced': reduced });
  const result = await page.evaluate(() => window.suites.levelsLoadedByMount('/given/large', 20));
  expect(result.inMount.loads).toEqual(Array.from({ length: 20 }, (_, index) => `image ${index} reduced`).sort());
  expect(result.inMount).toMatchObject({ images: 20, bytes: 20 * 600 * 425 * 2 });
  expect(result.alone.loads).toEqual(['image 0 full']);
  expect(result.alone.bytes - result.inMount.bytes).toBe(2400 * 1700 * 2);
  expect(result.closed).toEqual({ images: result.alone.images, bytes: result.alone.bytes });
  expect(result.forgotten).toEqual({ images: 0, bytes: 0 });
});
