import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../dicom/decode.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import type { DecodedFrame, ImageDescription, PixelArray } from '../../dicom/image-model.ts';
import { noOverlayPlanes } from '../../dicom/overlay-planes.ts';
import { readRendition } from '../../dicom/rendition/read-rendition.ts';
import { reduced, reductionFor } from '../../dicom/rendition/reduce.ts';
import { decodeRendition } from '../../dicom/rendition/rendition.ts';
import { writeRendition } from '../../dicom/rendition/write-rendition.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';
import { makeRendition } from '../../server/dicom/make-rendition.ts';
import { packValues } from '../../server/dicom/pack-values.ts';
import { codecs, type Grey, greyFile, noisy, opened } from './greyscale-files.ts';
import { meansOfBlocks } from './means-of-blocks.ts';

const directly = (bytes: Uint8Array, frame = 0): Promise<DecodedFrame> => {
  const { file, description } = opened(bytes);
  return decodeFrame(description, encodedFrame(file, description, frame), codecs);
};

const made = async (bytes: Uint8Array, level: 'full' | 'reduced', skipConversion = false) =>
  readRendition((await makeRendition(opened(bytes), { frame: 0, level, skipConversion }, codecs)).bytes);

describe('the reduced level', () => {
  const shapes: readonly (readonly [string, Grey])[] = [
    ['16 bits', { rows: 1301, columns: 701, values: noisy(new Uint16Array(1301 * 701), 0, 65535), bitsStored: 16 }],
    ['12 bits', { rows: 401, columns: 2501, values: noisy(new Uint16Array(401 * 2501), 0, 4095), bitsStored: 12 }],
    ['8 bits', { rows: 3, columns: 4001, values: noisy(new Uint8Array(3 * 4001), 0, 255), bitsStored: 8 }],
    ['signed', { rows: 2049, columns: 5, values: noisy(new Int16Array(2049 * 5), -32768, 32767), bitsStored: 16 }],
    [
      'padding at the edge and inside',
      {
        rows: 1400,
        columns: 90,
        values: noisy(new Int16Array(1400 * 90), -1000, 3000).map((value, at) =>
          at % 90 < 31 || value % 7 === 0 ? -2000 : value,
        ),
        bitsStored: 16,
        more: { PixelPaddingValue: -2000 },
      },
    ],
  ];

  it.each(shapes)('holds the means of blocks: %s', async (_, shape) => {
    const bytes = greyFile(shape);
    const rendition = await made(bytes, 'reduced');
    const { description } = opened(bytes);
    expect(rendition).toMatchObject({ level: 'reduced', kind: 'htj2k', description: { ...description, frames: null } });
    expect(Math.max(rendition.stored.rows, rendition.stored.columns)).toBeLessThanOrEqual(1024);
    const expected = meansOfBlocks(await directly(bytes), rendition.reduction, description.padding);
    expect(Float64Array.from((await decodeRendition(rendition, codecs)).pixels)).toEqual(expected.pixels);
  });

  it('excludes padding from means, and keeps blocks of padding', () => {
    const pixels = Int16Array.of(-2000, 10, -2000, -2000, 12, -2000, -2000, -2000);
    const frame = { rows: 2, columns: 4, samples: 1, bits: 16, pixels } as const;
    expect([...reduced(frame, 2, { low: -2000, high: -2000 }).pixels]).toEqual([11, -2000]);
    // The mean of -1 and 1 would be padding: the block keeps a value of the picture.
    const zeros = { rows: 1, columns: 2, samples: 1, bits: 16, pixels: Int16Array.of(-1, 1) } as const;
    expect([...reduced(zeros, 2, { low: 0, high: 0 }).pixels]).toEqual([-1]);
  });

  it('is of whole pixels for colour', async () => {
    const rows = 1303;
    const columns = 33;
    const bytes = writeDicom(
      {
        SOPClassUID: '1.2.840.10008.5.1.4.1.1.77.1.4',
        SOPInstanceUID: '1.2.3.5',
        SamplesPerPixel: 3,
        PhotometricInterpretation: 'RGB',
        PlanarConfiguration: 0,
        Rows: rows,
        Columns: columns,
        BitsAllocated: 8,
        BitsStored: 8,
        HighBit: 7,
        PixelRepresentation: 0,
        PixelData: noisy(new Uint8Array(rows * columns * 3), 0, 255),
      },
      { transferSyntax: '1.2.840.10008.1.2.1' },
    );
    const rendition = await made(bytes, 'reduced');
    expect([rendition.level, rendition.kind, rendition.stored.samplesPerPixel]).toEqual(['reduced', 'htj2k', 3]);
    const expected = meansOfBlocks(await directly(bytes), 2, null);
    expect(Float64Array.from((await decodeRendition(rendition, codecs)).pixels)).toEqual(expected.pixels);
  });

  it('is not created for small pictures, palettes and masks', () => {
    const { description } = opened(greyFile({ rows: 1, columns: 2000, values: new Uint16Array(2000), bitsStored: 16 }));
    const lut = { firstInput: 0, values: Uint16Array.of(1), bits: 8, explanation: null };
    const grey = new Uint8Array(1);
    const changed = (change: Partial<ImageDescription>) => reductionFor({ ...description, ...change });
    expect(changed({})).toBe(2);
    expect(changed({ columns: 4096 })).toBe(4);
    expect(changed({ columns: 4097 })).toBe(8);
    expect(changed({ columns: 1280 })).toBe(1);
    expect(changed({ modality: { kind: 'lut', lut } })).toBe(1);
    expect(changed({ palette: { firstInput: 0, red: grey, green: grey, blue: grey } })).toBe(1);
    expect(changed({ bitsAllocated: 1, bitsStored: 1 })).toBe(1);
  });
});

describe('packing', () => {
  const description = opened(greyFile({ rows: 2, columns: 2, values: new Uint16Array(4), bitsStored: 16 })).description;
  const arrays: readonly (readonly [string, number, 1 | 3, PixelArray, 'htj2k' | 'raw'])[] = [
    ['8 bits', 8, 1, noisy(new Uint8Array(7 * 5), 0, 255), 'htj2k'],
    ['8 bits in words', 8, 1, noisy(new Uint16Array(7 * 5), 0, 255), 'htj2k'],
    ['signed bytes', 8, 1, noisy(new Int8Array(7 * 5), -128, 127), 'htj2k'],
    ['16 bits', 16, 1, noisy(new Uint16Array(7 * 5), 0, 65535), 'htj2k'],
    ['signed words', 16, 1, noisy(new Int16Array(7 * 5), -32768, 32767), 'htj2k'],
    ['signed, 12 bits', 12, 1, noisy(new Int16Array(7 * 5), -2048, 2047), 'htj2k'],
    ['a value too large for its bits', 12, 1, Uint16Array.from({ length: 35 }, (_, at) => at + 4090), 'raw'],
    ['32 bits', 32, 1, noisy(new Int32Array(7 * 5), -(2 ** 31), 2 ** 31 - 1), 'raw'],
    ['fractions', 32, 1, new Float32Array(7 * 5).map((_, at) => at / 7), 'raw'],
    ['double fractions', 64, 1, new Float64Array(7 * 5).map((_, at) => at / 7), 'raw'],
    ['colour of 8 bits', 8, 3, noisy(new Uint8Array(7 * 5 * 3), 0, 255), 'htj2k'],
    ['colour of 16 bits', 16, 3, noisy(new Uint16Array(7 * 5 * 3), 0, 65535), 'raw'],
  ];

  it.each(arrays)('preserves every value: %s', async (_, bits, samples, pixels, kind) => {
    const size = { rows: 7, columns: 5, samplesPerPixel: samples };
    const frame: DecodedFrame = { rows: 7, columns: 5, samples, bits, pixels };
    const packed = await packValues({ ...description, ...size }, frame, codecs);
    expect(packed.kind).toBe(kind);
    const bytes = writeRendition({
      frame: 1,
      level: 'full',
      reduction: 1,
      range: null,
      overlayPlanes: noOverlayPlanes,
      coded: null,
      description: { ...description, ...size },
      ...packed,
    });
    const back = await decodeRendition(readRendition(bytes), codecs);
    expect(Float64Array.from(back.pixels)).toEqual(Float64Array.from(pixels));
  });
});

describe('a frame of a multi-frame image', () => {
  it('has its own values, and throws beyond the last frame', async () => {
    const values = noisy(new Uint16Array(3 * 4 * 5), 0, 4095);
    const bytes = greyFile({ rows: 4, columns: 5, values, bitsStored: 12, more: { NumberOfFrames: 3 } });
    const options = { frame: 2, level: 'reduced', skipConversion: true } as const;
    const rendition = readRendition((await makeRendition(opened(bytes), options, codecs)).bytes);
    expect([rendition.frame, rendition.level, rendition.description.numberOfFrames]).toEqual([3, 'full', 3]);
    expect((await decodeRendition(rendition, codecs)).pixels).toEqual(values.slice(40));
    await expect(makeRendition(opened(bytes), { ...options, frame: 3 }, codecs)).rejects.toMatchObject({
      code: 'no-such-frame',
    });
  });
});
