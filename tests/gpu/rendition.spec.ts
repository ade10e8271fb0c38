import type { Page } from '@playwright/test';
import { isColour } from '../../dicom/colour.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import { describeImage } from '../../dicom/image-description.ts';
import { readRendition } from '../../dicom/rendition/read-rendition.ts';
import type { DataSet } from '../../dicom/write/data-set.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { makeRendition } from '../../server/dicom/make-rendition.ts';
import { encodeJpeg2000, encodeJpegLs } from '../../server/dicom/wasm-encoders.ts';
import { meansOfBlocks } from '../dicom/means-of-blocks.ts';
import { expect, test } from './harness.ts';

const codecs = createCodecs();

/** Serves files at /given/<name>. */
const serveFiles = async (page: Page, files: Readonly<Record<string, Uint8Array>>) => {
  await page.route('**/given/*', (route) => {
    const file = files[new URL(route.request().url()).pathname.replace('/given/', '')];
    return file ? route.fulfill({ body: Buffer.from(file) }) : route.fulfill({ status: 404, body: '' });
  });
};

interface TestImage {
  readonly rows: number;
  readonly columns: number;
  /** Bits stored. */
  readonly bits: number;
  readonly signed?: boolean;
  readonly colour?: boolean;
  readonly encoding: 'jpeg-2000' | 'jpeg-ls' | 'native';
  /** Further attributes of the data set. */
  readonly attributes?: DataSet;
}

/** Writes a DICOM file whose values reach both ends of their range. */
const dicomFileOf = async ({
  rows,
  columns,
  bits,
  signed = false,
  colour = false,
  encoding,
  attributes,
}: TestImage) => {
  const samples = colour ? 3 : 1;
  const lowest = signed ? -(2 ** (bits - 1)) : 0;
  const values = new (signed ? Int16Array : bits > 8 ? Uint16Array : Uint8Array)(rows * columns * samples);
  for (let at = 0; at < values.length; at++) {
    values[at] = lowest + ((Math.round((Math.sin(at / 997) + 1) * 2 ** (bits - 1)) + at * 7) % 2 ** bits);
  }
  const bytes = new Uint8Array(values.buffer);
  const info = { width: columns, height: rows, bitsPerSample: bits, componentCount: samples, isSigned: signed };
  const encode = encoding === 'jpeg-ls' ? encodeJpegLs : encodeJpeg2000;
  const nativePixels = bits > 8 ? new Uint16Array(values.buffer) : bytes;
  return writeDicom(
    {
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.7',
      SOPInstanceUID: '1.2.3.4',
      SamplesPerPixel: samples,
      PhotometricInterpretation: colour ? 'RGB' : 'MONOCHROME1',
      ...(colour ? { PlanarConfiguration: 0 } : {}),
      Rows: rows,
      Columns: columns,
      BitsAllocated: bits > 8 ? 16 : 8,
      BitsStored: bits,
      HighBit: bits - 1,
      PixelRepresentation: signed ? 1 : 0,
      ...attributes,
      PixelData:
        encoding === 'native'
          ? nativePixels
          : { frames: [await encode(bytes, { ...info, isUsingColorTransform: false })] },
    },
    {
      transferSyntax: {
        native: '1.2.840.10008.1.2.1',
        'jpeg-2000': '1.2.840.10008.1.2.4.90',
        'jpeg-ls': '1.2.840.10008.1.2.4.80',
      }[encoding],
    },
  );
};

/** Returns both renditions, and the values that the reduced one must have (float64). */
const renditionsOf = async (bytes: Uint8Array) => {
  const file = readDicomFile(bytes);
  const description = describeImage(file);
  if (!description) throw new Error('the file has no image');
  const renditionAt = (level: 'full' | 'reduced') =>
    makeRendition({ file, description }, { frame: 0, level, skipConversion: false }, codecs).then(
      (answer) => answer.bytes,
    );
  const direct = await decodeFrame(description, encodedFrame(file, description, 0), codecs);
  const reduced = await renditionAt('reduced');
  const padding = isColour(description) ? null : description.padding;
  const means = meansOfBlocks(direct, readRendition(reduced).reduction, padding).pixels;
  return { full: await renditionAt('full'), reduced, means: new Uint8Array(means.buffer) };
};

/** Each with the pixel format and the size of the reduced rendition: level, reduction factor, columns x rows. */
const testImages: Readonly<Record<string, readonly [TestImage, string, string]>> = {
  'JPEG 2000 of 16 bits': [{ rows: 1301, columns: 903, bits: 16, encoding: 'jpeg-2000' }, 'u16', 'reduced 2 452 x 651'],
  'JPEG-LS of 12 bits': [{ rows: 601, columns: 2101, bits: 12, encoding: 'jpeg-ls' }, 'u16', 'reduced 4 526 x 151'],
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
      level: `${level} of ${testImage.columns} x ${testImage.rows}`,
    });
  });
}

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
