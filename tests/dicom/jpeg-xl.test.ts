import { describe, expect, it, vi } from 'vitest';
import { decodeFrame } from '../../dicom/decode.ts';
import { deidentify } from '../../dicom/deidentify/deidentify.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import { readJpegXlSize } from '../../dicom/jpeg-xl.ts';
import { readRendition } from '../../dicom/rendition/read-rendition.ts';
import { decodeRendition } from '../../dicom/rendition/rendition.ts';
import type { DataSet } from '../../dicom/write/data-set.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { makeRendition } from '../../server/dicom/make-rendition.ts';
import type { OpenedFile } from '../../server/dicom/opened-file.ts';
import { bytesOf, columns, drawn, type Grey, infoOf, objectOf, rows, valuesOf } from './drawn-objects.ts';
import { encodeJpegXl } from './encode-jpeg-xl.ts';

const [lossless, recompressed, lossy] = ['110', '111', '112'].map((part) => `1.2.840.10008.1.2.4.${part}`) as [
  string,
  string,
  string,
];
const codecs = createCodecs();

const decoded = ({ file, description }: OpenedFile, frame = 0) =>
  decodeFrame(description, encodedFrame(file, description, frame), codecs);

const greyAttributes = ({ bits, signed }: Grey): DataSet => ({
  SamplesPerPixel: 1,
  PhotometricInterpretation: 'MONOCHROME2',
  BitsAllocated: bits > 8 ? 16 : 8,
  BitsStored: bits,
  HighBit: bits - 1,
  PixelRepresentation: signed ? 1 : 0,
});
const greyOf = async (grey: Grey, transferSyntax = lossless, distance = 0) => {
  const frame = await encodeJpegXl(bytesOf(valuesOf(grey)), infoOf(grey), distance);
  return objectOf({ ...greyAttributes(grey), PixelData: { frames: [frame] } }, transferSyntax);
};

/** Three samples per pixel: shades of red, green and blue that differ. */
const colours = Uint8Array.from({ length: rows * columns * 3 }, (_, at) =>
  Math.round(255 * (drawn[Math.floor(at / 3)] ?? 0) ** (1 + (at % 3))),
);
const colourOf = async (photometric: string, transferSyntax: string, distance = 0) => {
  const frame = await encodeJpegXl(colours, infoOf({ bits: 8 }, 3), distance);
  const attributes = { ...greyAttributes({ bits: 8 }), SamplesPerPixel: 3, PlanarConfiguration: 0 };
  return objectOf(
    { ...attributes, PhotometricInterpretation: photometric, PixelData: { frames: [frame] } },
    transferSyntax,
  );
};
const meanDifference = (one: ArrayLike<number>, other: ArrayLike<number>): number => {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum / one.length;
};

describe('JPEG XL', () => {
  // libjxl writes 16 bits into a container, fewer into a plain codestream.
  it.each([8, 10, 12, 16])('of %i bits, lossless, decodes to every value', async (bits) => {
    const opened = await greyOf({ bits });
    const { pixels, bits: found } = await decoded(opened);
    expect(found).toBe(bits);
    expect(Buffer.compare(bytesOf(pixels as Uint16Array), bytesOf(valuesOf({ bits })))).toBe(0);
    expect(opened.description.lossy).toBe(false);
  });

  it('of fewer bits than the header states keeps its values', async () => {
    const frame = await encodeJpegXl(bytesOf(valuesOf({ bits: 12 })), infoOf({ bits: 12 }));
    const opened = objectOf({ ...greyAttributes({ bits: 16 }), PixelData: { frames: [frame] } }, lossless);
    const { pixels } = await decoded(opened);
    expect(Buffer.compare(bytesOf(pixels as Uint16Array), bytesOf(valuesOf({ bits: 12 })))).toBe(0);
  });

  it('in colour, lossless, decodes to every value, and converts YBR_FULL', async () => {
    expect(Buffer.compare((await decoded(await colourOf('RGB', lossless))).pixels as Uint8Array, colours)).toBe(0);
    const converted = (await decoded(await colourOf('YBR_FULL', lossless))).pixels as Uint8Array;
    expect(meanDifference(converted, colours)).toBeGreaterThan(20);
  });

  it.each([
    ['RGB', lossy],
    ['XYB', lossy],
    ['YBR_FULL_422', recompressed],
  ])('of %s, lossy, decodes to RGB', async (photometric, transferSyntax) => {
    const opened = await colourOf(photometric, transferSyntax, 1);
    const { pixels } = await decoded(opened);
    expect(meanDifference(pixels as Uint8Array, colours)).toBeLessThan(3);
    expect(opened.description.lossy).toBe(transferSyntax === recompressed);
  });

  it('of several frames decodes each', async () => {
    const values = [valuesOf({ bits: 12 }), valuesOf({ bits: 12 }).map((value) => 4095 - value)];
    const frames = await Promise.all(values.map((one) => encodeJpegXl(bytesOf(one), infoOf({ bits: 12 }))));
    const opened = objectOf({ ...greyAttributes({ bits: 12 }), NumberOfFrames: 2, PixelData: { frames } }, lossless);
    for (const [index, one] of values.entries()) {
      const { pixels } = await decoded(opened, index);
      expect(Buffer.compare(bytesOf(pixels as Uint16Array), bytesOf(one))).toBe(0);
    }
  });

  it('becomes a rendition of the same values', async () => {
    const { bytes, worth } = await makeRendition(
      await greyOf({ bits: 12 }),
      { frame: 0, level: 'full', skipConversion: false },
      codecs,
    );
    const { pixels } = await decodeRendition(readRendition(bytes), codecs);
    expect(worth).toBe('cache');
    expect(Buffer.compare(bytesOf(pixels as Uint16Array), bytesOf(valuesOf({ bits: 12 })))).toBe(0);
  });

  it.each([
    [8, 8],
    [256, 64],
    [61, 43],
    [640, 480],
    [480, 300],
    [300, 2000],
    [16000, 3],
  ])('states its size of %i x %i pixels in the header', async (width, height) => {
    const size = { rows: height, columns: width };
    for (const bitsPerSample of [8, 16]) {
      const bytes = new Uint8Array((width * height * bitsPerSample) / 8);
      const frame = await encodeJpegXl(bytes, { width, height, bitsPerSample, componentCount: 1 });
      expect(readJpegXlSize(frame)).toEqual(size);
    }
  });

  it('that is larger than its header says is refused before it is decoded', async () => {
    // A codestream of 2^30 x 2^30 pixels, all bits set, and of its first two bytes alone.
    for (const frame of [Uint8Array.from([0xff, 0x0a, 0xfe, ...Array(20).fill(0xff)]), Uint8Array.of(0xff, 0x0a)]) {
      const opened = objectOf({ ...greyAttributes({ bits: 8 }), PixelData: { frames: [frame] } }, lossless);
      const codec = vi.fn(codecs.jpegXl);
      const { file, description } = opened;
      await expect(
        decodeFrame(description, encodedFrame(file, description, 0), { ...codecs, jpegXl: codec }),
      ).rejects.toMatchObject({ code: 'decode-failed' });
      expect(codec).toHaveBeenCalledTimes(frame.length > 4 ? 0 : 1);
    }
  });

  it('has no anonymised copy: its metadata are not cleaned', async () => {
    const { file } = await greyOf({ bits: 8 });
    const options = { pseudonym: 'P1', replaceUid: (uid: string) => uid };
    expect(() => deidentify(file, options)).toThrow(expect.objectContaining({ code: 'transfer-syntax-unsupported' }));
  });

  it('of signed samples, or damaged, is refused with its name', async () => {
    const signed: Grey = { bits: 12, signed: true };
    const frame = await encodeJpegXl(bytesOf(valuesOf({ bits: 12 })), infoOf({ bits: 12 }));
    const opened = objectOf({ ...greyAttributes(signed), PixelData: { frames: [frame] } }, lossless);
    await expect(decoded(opened)).rejects.toMatchObject({ code: 'transfer-syntax-unsupported' });
    const cut = objectOf(
      { ...greyAttributes({ bits: 12 }), PixelData: { frames: [frame.slice(0, frame.length >> 1)] } },
      lossless,
    );
    await expect(decoded(cut)).rejects.toMatchObject({ code: 'decode-failed' });
    // The codec still works after that.
    expect((await decoded(await greyOf({ bits: 8 }))).bits).toBe(8);
  });
});
