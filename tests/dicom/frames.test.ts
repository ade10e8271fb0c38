import { deflateRaw } from 'pako';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../dicom/decode.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { checkComplete, checkFrames, encodedFrame } from '../../dicom/frames.ts';
import { describeImage } from '../../dicom/image-description.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import {
  bytesOf,
  element,
  encapsulated,
  explicitBig,
  type PictureHeader,
  part10,
  pictureHeader,
  words,
} from './build-dicom.ts';

const codecs = createCodecs();
const EXPLICIT = '1.2.840.10008.1.2.1';
const BIG = '1.2.840.10008.1.2.2';
const DEFLATED_FRAMES = '1.2.840.10008.1.2.8.1';
const RLE = '1.2.840.10008.1.2.5';
const JPEG_LOSSLESS = '1.2.840.10008.1.2.4.70';

const readImage = (
  header: PictureHeader,
  pixels: Uint8Array,
  transferSyntax = EXPLICIT,
  before = new Uint8Array(0) as Uint8Array,
) => {
  const syntax = transferSyntax === BIG ? explicitBig : undefined;
  const file = readDicomFile(part10(bytesOf(pictureHeader(header, syntax), before, pixels), transferSyntax));
  const description = describeImage(file);
  if (!description) throw new Error('the file has no image');
  return { file, description };
};

const decodedFrames = async (...args: Parameters<typeof readImage>) => {
  const { file, description } = readImage(...args);
  const frames = Array.from({ length: description.numberOfFrames }, (_, index) =>
    encodedFrame(file, description, index),
  );
  return Promise.all(frames.map(async (frame) => (await decodeFrame(description, frame, codecs)).pixels));
};

const nativePixelData = (value: Uint8Array | readonly number[], vr = 'OW') => element(0x7fe00010, vr, value);

describe('native frames', () => {
  it('are split in order', async () => {
    const frames = await decodedFrames({ rows: 1, columns: 3, frames: 2 }, nativePixelData([1, 2, 3, 4, 5, 6], 'OB'));
    expect(frames).toEqual([Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5, 6)]);
  });

  it('of odd length leave out the pad byte', async () => {
    const [frame] = await decodedFrames(
      { rows: 1, columns: 3, samples: 3, photometric: 'RGB' },
      nativePixelData([1, 2, 3, 4, 5, 6, 7, 8, 9], 'OB'),
    );
    expect(frame).toEqual(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9));
  });

  it('of 1 bit may begin inside a byte', async () => {
    // 3 x 1 pixels a frame: 101, 011, 110 from the least significant bit on.
    const frames = await decodedFrames(
      { rows: 1, columns: 3, frames: 3, bits: 1 },
      nativePixelData([0b11110101, 0b00000000], 'OB'),
    );
    expect(frames).toEqual([Uint8Array.of(1, 0, 1), Uint8Array.of(0, 1, 1), Uint8Array.of(1, 1, 0)]);
  });

  it('drop the bits above those stored and extend the sign', async () => {
    const [masked] = await decodedFrames(
      { rows: 1, columns: 2, bits: 16, stored: 12 },
      nativePixelData(words([0xf123, 0x0fff])),
    );
    expect(masked).toEqual(Uint16Array.of(0x123, 0xfff));
    const [signed] = await decodedFrames(
      { rows: 1, columns: 2, bits: 16, stored: 12, signed: true },
      nativePixelData(words([0x0fff, 0x07ff])),
    );
    expect(signed).toEqual(Int16Array.of(-1, 2047));
    const [shifted] = await decodedFrames(
      { rows: 1, columns: 2, bits: 16, stored: 12, highBit: 15 },
      nativePixelData(words([0x1230, 0xfff7])),
    );
    expect(shifted).toEqual(Uint16Array.of(0x123, 0xfff));
  });

  it('of big endian files are byte-swapped, also 8-bit ones in OW', async () => {
    const [wide] = await decodedFrames(
      { rows: 1, columns: 2, bits: 16 },
      element(0x7fe00010, 'OW', [1, 2, 3, 4], explicitBig),
      BIG,
    );
    expect(wide).toEqual(Uint16Array.of(0x0102, 0x0304));
    const [narrow] = await decodedFrames(
      { rows: 1, columns: 4 },
      element(0x7fe00010, 'OW', [2, 1, 4, 3], explicitBig),
      BIG,
    );
    expect(narrow).toEqual(Uint8Array.of(1, 2, 3, 4));
    const [bytes] = await decodedFrames(
      { rows: 1, columns: 4 },
      element(0x7fe00010, 'OB', [1, 2, 3, 4], explicitBig),
      BIG,
    );
    expect(bytes).toEqual(Uint8Array.of(1, 2, 3, 4));
  });

  it('of colour are interleaved, upsampled and made RGB', async () => {
    const planes = await decodedFrames(
      { rows: 1, columns: 2, samples: 3, photometric: 'RGB', planar: 1 },
      nativePixelData([1, 2, 3, 4, 5, 6], 'OB'),
    );
    expect(planes[0]).toEqual(Uint8Array.of(1, 3, 5, 2, 4, 6));
    const ybr = await decodedFrames(
      { rows: 1, columns: 2, samples: 3, photometric: 'YBR_FULL' },
      nativePixelData([100, 128, 128, 76, 85, 255], 'OB'),
    );
    expect(ybr[0]).toEqual(Uint8Array.of(100, 100, 100, 254, 0, 0));
    const half = await decodedFrames(
      { rows: 1, columns: 2, samples: 3, photometric: 'YBR_FULL_422' },
      nativePixelData([10, 200, 128, 128], 'OB'),
    );
    expect(half[0]).toEqual(Uint8Array.of(10, 10, 10, 200, 200, 200));
  });

  it.each([
    ['an array', (bytes: Uint8Array) => bytes],
    ['a buffer of Node, whose slices share its memory', (bytes: Uint8Array) => Buffer.from(bytes)],
  ])('of Float Pixel Data are decoded as 32-bit floats, from %s', async (_, held) => {
    const header = bytesOf(pictureHeader({ rows: 1, columns: 2, bits: 32 }));
    const value = new Uint8Array(Float32Array.of(0.5, -1.25).buffer);
    const file = readDicomFile(held(part10(bytesOf(header, element(0x7fe00008, 'OF', value)))));
    const description = describeImage(file);
    if (!description) throw new Error('the file has no image');
    const { pixels } = await decodeFrame(description, encodedFrame(file, description, 0), codecs);
    expect(pixels).toEqual(Float32Array.of(0.5, -1.25));
  });

  it('that are short or missing throw an error with a code', () => {
    const { file, description } = readImage(
      { rows: 2, columns: 2, frames: 2 },
      nativePixelData([1, 2, 3, 4, 5, 6], 'OB'),
    );
    expect(encodedFrame(file, description, 0)).toEqual(Uint8Array.of(1, 2, 3, 4));
    expect(() => encodedFrame(file, description, 1)).toThrow(
      'pixel-data-short: frame 2 needs 8 bytes of pixel data, 6 are there',
    );
    expect(() => encodedFrame(file, description, 2)).toThrow('no-such-frame');
    expect(() => encodedFrame(file, description, -1)).toThrow('no-such-frame');
    expect(() => checkFrames(file, description)).toThrow('pixel-data-short');
  });

  it('of excessive size are rejected before any allocation', async () => {
    const { description } = readImage({ rows: 65535, columns: 65535, bits: 16 }, nativePixelData([0, 0]));
    await expect(decodeFrame(description, Uint8Array.of(0), codecs)).rejects.toThrow('too-large');
  });
});

/** A fragment that begins with the JPEG marker Start of Image. */
const soi = (...rest: readonly number[]) => Uint8Array.of(0xff, 0xd8, ...rest);
/** Returns the bytes of each encoded frame. `before`: elements in front of the pixel data. */
const framesOf = (frames: number, pixels: Uint8Array, before?: Uint8Array) => {
  const { file, description } = readImage({ rows: 1, columns: 1, frames }, pixels, JPEG_LOSSLESS, before);
  checkComplete(file);
  checkFrames(file, description);
  return Array.from({ length: frames }, (_, index) => [...encodedFrame(file, description, index)]);
};

describe('encapsulated frames', () => {
  const one = soi(1, 1);
  const two = soi(2, 2);
  const rest = Uint8Array.of(9, 9);

  it('are one per fragment, with and without a Basic Offset Table', () => {
    expect(framesOf(2, encapsulated([], [one, two]))).toEqual([[...one], [...two]]);
    expect(framesOf(2, encapsulated([0, 12], [one, two]))).toEqual([[...one], [...two]]);
  });

  it('are joined from the fragments that the Basic Offset Table assigns', () => {
    expect(framesOf(2, encapsulated([0, 22], [one, rest, two]))).toEqual([[...one, ...rest], [...two]]);
    expect(framesOf(2, encapsulated([0, 12], [one, rest, rest]))).toEqual([[...one], [...rest, ...rest]]);
  });

  it('are split at JPEG start markers when the table is missing or wrong', () => {
    expect(framesOf(2, encapsulated([], [one, rest, two]))).toEqual([[...one, ...rest], [...two]]);
    expect(framesOf(2, encapsulated([0, 5], [one, rest, two]))).toEqual([[...one, ...rest], [...two]]);
  });

  it('follow an Extended Offset Table', () => {
    const offsets = new Uint8Array(BigUint64Array.of(0n, 12n).buffer);
    const table = element(0x7fe00001, 'OV', offsets);
    expect(framesOf(2, encapsulated([], [one, rest, rest]), table)).toEqual([[...one], [...rest, ...rest]]);
  });

  it('of Deflated Image Frame Compression are inflated one by one', async () => {
    const fragments = [Uint8Array.of(1, 2, 3, 4), Uint8Array.of(5, 6, 7, 8)].map((frame) => deflateRaw(frame));
    const header = { rows: 2, columns: 2, frames: 2 };
    const frames = await decodedFrames(header, encapsulated([], fragments), DEFLATED_FRAMES);
    expect(frames).toEqual([Uint8Array.of(1, 2, 3, 4), Uint8Array.of(5, 6, 7, 8)]);
    const bits = await decodedFrames(
      { rows: 1, columns: 9, frames: 2, bits: 1 },
      encapsulated([], [deflateRaw(Uint8Array.of(1, 1)), deflateRaw(Uint8Array.of(2, 0))]),
      DEFLATED_FRAMES,
    );
    expect(bits.map((frame) => frame.join(''))).toEqual(['100000001', '010000000']);
  });

  it('of Deflated Image Frame Compression that inflate to too little throw an error', async () => {
    const pixels = encapsulated([], [deflateRaw(Uint8Array.of(1, 2, 3))]);
    await expect(decodedFrames({ rows: 2, columns: 2 }, pixels, DEFLATED_FRAMES)).rejects.toThrow('pixel-data-short');
  });

  it('of RLE with 1 bit are packed into bytes first', async () => {
    const header = Uint8Array.from({ length: 64 }, (_, at) => (at === 0 ? 1 : at === 4 ? 64 : 0));
    const frame = bytesOf(header, [1, 0b00000101, 0b1, 128]);
    const [pixels] = await decodedFrames({ rows: 1, columns: 9, bits: 1 }, encapsulated([], [frame]), RLE);
    expect(pixels?.join('')).toBe('101000001');
  });

  it('of a single frame take all fragments', () => {
    expect(framesOf(1, encapsulated([], [one, two, rest]))).toEqual([[...one, ...two, ...rest]]);
  });

  it('that are missing or not terminated throw an error with a code', () => {
    expect(() => framesOf(3, encapsulated([], [one, two]))).toThrow('3 frames are announced, 2 are there');
    expect(() => framesOf(1, encapsulated([], []))).toThrow('pixel-data-short');
    expect(() => framesOf(1, encapsulated([], [one], false))).toThrow('end without their delimiter');
  });
});
