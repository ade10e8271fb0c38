import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import { summarise } from '../../dicom/identity.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { readFileHead } from '../../server/dicom/file-head.ts';
import { inspectFile } from '../../server/dicom/inspect.ts';
import {
  bytesOf,
  element,
  encapsulated,
  explicitBig,
  implicitLittle,
  part10,
  pictureHeader,
  type Syntax,
  words,
} from './build-dicom.ts';
import { corpusFiles, corpusFolder, corpusIsThere } from './corpus.ts';
import { encodeLossless } from './encode-jpeg.ts';

const codecs = createCodecs();
const most = 2 ** 30;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-head-'));
});
afterAll(() => rm(folder, { recursive: true }));

const saved = async (bytes: Uint8Array): Promise<string> => {
  const file = path.join(folder, `${Math.random()}`);
  await writeFile(file, bytes);
  return file;
};

const [rows, columns] = [300, 400];
const values = Array.from({ length: rows * columns }, (_, index) => index % 4096);
const picture = (syntax?: Syntax, before: Uint8Array = new Uint8Array(), after: Uint8Array = new Uint8Array()) =>
  bytesOf(
    pictureHeader({ rows, columns, bits: 16, stored: 12 }, syntax),
    before,
    element(0x7fe00010, 'OW', words(values, syntax), syntax),
    after,
  );
const icon = (bytes: number) => element(0x00291010, 'OB', new Uint8Array(bytes));

describe('the head of a file', () => {
  it.each([
    ['explicit', part10(picture())],
    ['implicit', part10(picture(implicitLittle), '1.2.840.10008.1.2')],
    ['big endian', part10(picture(explicitBig), '1.2.840.10008.1.2.2')],
    ['without preamble and meta information', picture(implicitLittle)],
    ['with 900 KB in front of the pixels', part10(picture(undefined, icon(900_000)))],
    ['with an element after the pixels', part10(picture(undefined, undefined, element(0xfffcfffc, 'OB', [0, 0])))],
  ])('gives the same result as the whole file: %s', async (_, bytes) => {
    const file = await saved(bytes);
    const head = await readFileHead(file, most);
    const whole = readDicomFile(bytes);
    expect(head && summarise(head)).toEqual(summarise(whole));
    expect(head?.dataSet.elements.get(0x7fe00010)).toEqual(whole.dataSet.elements.get(0x7fe00010));
    const { image, problems } = await inspectFile({ path: file }, most, codecs);
    expect([image?.rows, image?.columns, problems]).toEqual([rows, columns, []]);
  });

  const raster = { rows, columns, components: 1, precision: 12, samples: values };
  const compressed = bytesOf(
    pictureHeader({ rows, columns, bits: 16, stored: 12 }),
    encapsulated([], [encodeLossless(raster, 1)]),
  );
  it.each([
    ['a compressed picture', part10(compressed, '1.2.840.10008.1.2.4.70')],
    ['a header above the size limit', part10(picture(undefined, icon(2 ** 20)))],
    ['no pixels', part10(bytesOf(pictureHeader({ rows, columns }), icon(200_000)))],
  ])('is not enough for %s', async (_, bytes) => {
    const file = await saved(bytes);
    expect(await readFileHead(file, most)).toBeNull();
    expect((await inspectFile({ path: file }, most, codecs)).problems).toEqual([]);
  });

  it('suffices to reject a file that is not DICOM, whatever its size', async () => {
    const file = await saved(new TextEncoder().encode('Dear colleague, '.repeat(9000)));
    await truncate(file, 2 ** 33);
    const before = process.memoryUsage().rss;
    const start = performance.now();
    expect((await inspectFile({ path: file }, 2 ** 34, codecs)).problems).toMatchObject([{ code: 'not-dicom' }]);
    expect(process.memoryUsage().rss - before).toBeLessThan(20e6);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it('detects pixel data that is one byte short', async () => {
    const whole = part10(picture());
    expect((await inspectFile({ path: await saved(whole.subarray(0, -1)) }, most, codecs)).problems).toMatchObject([
      { code: 'pixel-data-short' },
    ]);
    const twice = part10(
      bytesOf(
        pictureHeader({ rows, columns, frames: 2, bits: 16, stored: 12 }),
        element(0x7fe00010, 'OW', words(values)),
      ),
    );
    expect((await inspectFile({ path: await saved(twice) }, most, codecs)).problems).toMatchObject([
      { code: 'pixel-data-short' },
    ]);
  });

  it('falls back to the whole file when elements are out of order', async () => {
    const [front, size] = [element(0x00080018, 'UI', '1.2.3.4'), pictureHeader({ rows, columns, bits: 16 })];
    const file = part10(bytesOf(front, element(0x7fe00010, 'OW', words(values)), size));
    expect((await inspectFile({ path: await saved(file) }, most, codecs)).image).toMatchObject({ rows, columns });
  });

  it('avoids reading a terabyte', async () => {
    const claims = bytesOf(
      pictureHeader({ rows: 60_000, columns: 60_000, bits: 16 }),
      element(0x7fe00010, 'OW', new Uint8Array(90_000), undefined, 0xfffffffe),
    );
    const before = process.memoryUsage().rss;
    const { problems } = await inspectFile({ path: await saved(part10(claims)) }, most, codecs);
    expect(problems).toMatchObject([{ code: expect.stringMatching(/too-large|pixel-data-short/) }]);
    expect(process.memoryUsage().rss - before).toBeLessThan(50e6);
  });
});

describe.skipIf(!corpusIsThere)('files of the corpus', () => {
  it('are classified by their heads as by their full content', async () => {
    let heads = 0;
    for (const name of corpusFiles()) {
      const head = await readFileHead(path.join(corpusFolder, name), most).catch(() => null);
      if (!head) continue;
      heads += 1;
      const whole = readDicomFile(new Uint8Array(await readFile(path.join(corpusFolder, name))));
      expect(summarise(head)).toEqual(summarise(whole));
      for (const [tag, one] of head.dataSet.elements) expect(whole.dataSet.elements.get(tag)).toEqual(one);
    }
    expect(heads).toBeGreaterThan(20);
  });
});
