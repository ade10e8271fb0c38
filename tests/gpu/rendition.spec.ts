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

/** Serves bytes under /given/<name>. */
const give = async (page: Page, files: Readonly<Record<string, Uint8Array>>) => {
  await page.route('**/given/*', (route) => {
    const file = files[new URL(route.request().url()).pathname.replace('/given/', '')];
    return file ? route.fulfill({ body: Buffer.from(file) }) : route.fulfill({ status: 404, body: '' });
  });
};

interface Shape {
  readonly rows: number;
  readonly columns: number;
  readonly bits: number;
  readonly signed?: boolean;
  readonly colour?: boolean;
  readonly packing: 'jpeg-2000' | 'jpeg-ls' | 'plain';
  readonly more?: DataSet;
}

/** A file of waves over both ends of its bits. */
const fileOf = async ({ rows, columns, bits, signed = false, colour = false, packing, more }: Shape) => {
  const samples = colour ? 3 : 1;
  const low = signed ? -(2 ** (bits - 1)) : 0;
  const values = new (signed ? Int16Array : bits > 8 ? Uint16Array : Uint8Array)(rows * columns * samples);
  for (let at = 0; at < values.length; at++) {
    values[at] = low + ((Math.round((Math.sin(at / 997) + 1) * 2 ** (bits - 1)) + at * 7) % 2 ** bits);
  }
  const bytes = new Uint8Array(values.buffer);
  const info = { width: columns, height: rows, bitsPerSample: bits, componentCount: samples, isSigned: signed };
  const encode = packing === 'jpeg-ls' ? encodeJpegLs : encodeJpeg2000;
  const plain = bits > 8 ? new Uint16Array(values.buffer) : bytes;
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
      ...more,
      PixelData:
        packing === 'plain' ? plain : { frames: [await encode(bytes, { ...info, isUsingColorTransform: false })] },
    },
    {
      transferSyntax: {
        plain: '1.2.840.10008.1.2.1',
        'jpeg-2000': '1.2.840.10008.1.2.4.90',
        'jpeg-ls': '1.2.840.10008.1.2.4.80',
      }[packing],
    },
  );
};

const renditionsOf = async (bytes: Uint8Array) => {
  const file = readDicomFile(bytes);
  const description = describeImage(file);
  if (!description) throw new Error('no picture');
  const made = (level: 'full' | 'reduced') =>
    makeRendition({ file, description }, { frame: 0, level, hasty: false }, codecs).then((answer) => answer.bytes);
  const direct = await decodeFrame(description, encodedFrame(file, description, 0), codecs);
  const reduced = await made('reduced');
  const padding = isColour(description) ? null : description.padding;
  const means = meansOfBlocks(direct, readRendition(reduced).reduction, padding).pixels;
  return { full: await made('full'), reduced, means: new Uint8Array(means.buffer) };
};

const shapes: Readonly<Record<string, readonly [Shape, string, string]>> = {
  'JPEG 2000 of 16 bits': [{ rows: 1301, columns: 903, bits: 16, packing: 'jpeg-2000' }, 'u16', 'reduced 2 452 x 651'],
  'JPEG-LS of 12 bits': [{ rows: 601, columns: 2101, bits: 12, packing: 'jpeg-ls' }, 'u16', 'reduced 4 526 x 151'],
  'signed with padding, a slope and no window': [
    {
      rows: 1290,
      columns: 77,
      bits: 16,
      signed: true,
      packing: 'jpeg-2000',
      more: { PixelPaddingValue: -32768, RescaleSlope: 0.5, RescaleIntercept: -7 },
    },
    's16',
    'reduced 2 39 x 645',
  ],
  '8 bits, uncompressed': [{ rows: 1283, columns: 61, bits: 8, packing: 'plain' }, 'u8', 'reduced 2 31 x 642'],
  colour: [{ rows: 1301, columns: 51, bits: 8, colour: true, packing: 'plain' }, 'rgba8', 'reduced 2 26 x 651'],
};

for (const [name, [shape, format, level]] of Object.entries(shapes)) {
  test(`renditions equal the file value by value in the browser: ${name}`, async ({ page }) => {
    const file = await fileOf(shape);
    await give(page, { file, ...(await renditionsOf(file)) });
    const at = { file: '/given/file', full: '/given/full', reduced: '/given/reduced', means: '/given/means' };
    expect(await page.evaluate((given) => window.suites.throughRendition(given), at)).toEqual({
      full: 0,
      reduced: 0,
      words: true,
      format,
      level: `${level} of ${shape.columns} x ${shape.rows}`,
    });
  });
}

test('a mount of twenty large images loads reduced pictures, and a zoomed image its full one', async ({ page }) => {
  const file = await fileOf({ rows: 1700, columns: 2400, bits: 16, packing: 'jpeg-ls' });
  const { full, reduced } = await renditionsOf(file);
  await give(page, { 'large-full': full, 'large-reduced': reduced });
  const result = await page.evaluate(() => window.suites.levelsOfMount('/given/large', 20));
  expect(result.inMount.loads).toEqual(Array.from({ length: 20 }, (_, index) => `image ${index} reduced`).sort());
  expect(result.inMount).toMatchObject({ images: 20, bytes: 20 * 600 * 425 * 2 });
  expect(result.alone.loads).toEqual(['image 0 full']);
  expect(result.alone.bytes - result.inMount.bytes).toBe(2400 * 1700 * 2);
  expect(result.after).toEqual({ images: 0, bytes: 0 });
});

test('opening fifty patients in turn does not leak memory', async ({ page }) => {
  test.setTimeout(300_000);
  const { full, reduced } = await renditionsOf(await fileOf({ rows: 1700, columns: 2400, bits: 16, packing: 'plain' }));
  await give(page, { 'image-full': full, 'image-reduced': reduced });
  const session = await page.context().newCDPSession(page);
  const heldBytes = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    const usage = await session.send('Runtime.getHeapUsage');
    return usage.usedSize + ('backingStorageSize' in usage ? Number(usage.backingStorageSize) : 0);
  };
  const opened = (first: number, count: number) =>
    page.evaluate(([from, many]) => window.suites.openPatients('/given/image', from, many), [first, count] as const);
  const patient = { open: [`6 images, ${6 * 600 * 425 * 2} bytes`], left: ['0 images, 0 bytes'] };
  expect(await opened(0, 10)).toEqual(patient);
  const before = await heldBytes();
  expect(await opened(10, 40)).toEqual(patient);
  const after = await heldBytes();
  console.log(
    `held by the page: ${(before / 1e6).toFixed(1)} MB after 10 patients, ${(after / 1e6).toFixed(1)} MB after 50`,
  );
  // One patient's pictures are 3 MB: forty of them would be 120.
  expect(after - before).toBeLessThan(5e6);
});
