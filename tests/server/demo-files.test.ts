import { describe, expect, it } from 'vitest';
import { FIXTURE_NAMES, fixtureFile, fixtureRecipe } from '../../demo/fixtures.ts';
import { lateralityOf } from '../../demo/laterality-of.ts';
import { drawRaster } from '../../demo/phantom/draw-raster.ts';
import { encodeRle } from '../../demo/rle.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { checkComplete, encodedFrame } from '../../dicom/frames.ts';
import { describeImage } from '../../dicom/image-description.ts';
import { decodeRle } from '../../dicom/rle.ts';
import { readTeeth } from '../../dicom/teeth.ts';
import { toothCode } from '../../dicom/tooth-code.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';

const codecs = createCodecs();
const pictures = FIXTURE_NAMES.filter((name) => name !== 'broken');

const decoded = async (bytes: Uint8Array) => {
  const file = readDicomFile(bytes);
  const description = describeImage(file);
  if (description === null) throw new Error('no image in the file');
  return { file, description, frame: await decodeFrame(description, encodedFrame(file, description, 0), codecs) };
};

describe('a drawn file', () => {
  it.each(pictures)('%s decodes to the pixels that were drawn', async (name) => {
    const recipe = fixtureRecipe(name);
    const raster = drawRaster(recipe);
    const { description, frame } = await decoded(await fixtureFile(name));
    expect([description.columns, description.rows]).toEqual([raster.columns, raster.rows]);
    expect(frame.pixels.length).toBe(raster.pixels.length);
    if (recipe.packing === 'jpeg-baseline') {
      let difference = 0;
      raster.pixels.forEach((value, at) => {
        difference += Math.abs(value - (frame.pixels[at] ?? 0));
      });
      expect(difference / raster.pixels.length).toBeLessThan(4);
      expect(description.lossy).toBe(true);
      return;
    }
    expect(raster.pixels.findIndex((value, at) => value !== frame.pixels[at])).toBe(-1);
    expect(description.lossy).toBe(false);
    if (raster.kind === 'grey') expect(description.bitsStored).toBe(raster.bitsStored);
  });

  it('is identical byte for byte in every run', async () => {
    const [first, second] = [await fixtureFile('io-rle'), await fixtureFile('io-rle')];
    expect(Buffer.compare(first, second)).toBe(0);
  });

  it('names its teeth, side and spacing', async () => {
    const { file, description } = await decoded(await fixtureFile('io-mono1'));
    expect(readTeeth(file.dataSet)).toEqual([17, 16, 47, 46]);
    expect(description.photometricInterpretation).toBe('MONOCHROME1');
    expect(description.presentationShape).toBe('INVERSE');
    expect(description.spacing).toEqual({ rowMm: 0.11009, columnMm: 0.11009, kind: 'detector' });
  });

  it('of a CT slice is signed Hounsfield with padding outside the circular field', async () => {
    const { description, frame } = await decoded(await fixtureFile('ct-signed-j2k'));
    expect(description.signed).toBe(true);
    expect(description.modality).toEqual({ kind: 'rescale', slope: 1, intercept: -1000 });
    expect(description.padding).toEqual({ low: -2000, high: -2000 });
    expect(frame.pixels[0]).toBe(-2000);
    const hounsfield = [...frame.pixels].filter((value) => value !== -2000).map((value) => value - 1000);
    expect(Math.min(...hounsfield)).toBeLessThan(-900);
    expect(Math.max(...hounsfield)).toBeGreaterThan(1300);
  });

  it('that is truncated is rejected', async () => {
    const file = readDicomFile(await fixtureFile('broken'));
    expect(() => checkComplete(file)).toThrow();
  });
});

describe('RLE', () => {
  it.each([1, 2, 3] as const)(
    'of %i bytes per sample is decoded to the same bytes, whatever the runs',
    (bytesPerSample) => {
      const [columns, rows] = [211, 13];
      let state = 9;
      const bytes = Uint8Array.from({ length: columns * rows * bytesPerSample }, (_, at) => {
        state = (state * 1103515245 + 12345) & 0x7fffffff;
        return at % 700 < 300 ? 7 : at % 700 < 420 ? at >> 2 : state >> 16;
      });
      const frame = encodeRle(bytes, columns, bytesPerSample);
      expect(frame.length % 2).toBe(0);
      const [samples, width] = bytesPerSample === 3 ? [3, 1] : [1, bytesPerSample];
      const back = decodeRle(frame, columns * rows, samples, width);
      expect(Buffer.compare(back, bytes)).toBe(0);
    },
  );
});

describe('tooth codes', () => {
  it('give side and jaw by ISO 3950: 36 is lower left', () => {
    expect(toothCode(36)).toMatchObject({ CodeValue: '866006002', CodeMeaning: 'Mandibular left first molar tooth' });
    expect(toothCode(46).CodeMeaning).toBe('Mandibular right first molar tooth');
    expect(() => toothCode(39)).toThrow(RangeError);
    expect([lateralityOf([16, 46]), lateralityOf([26, 36]), lateralityOf([11, 21])]).toEqual(['R', 'L', 'B']);
  });
});
