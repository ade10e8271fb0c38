import { describe, expect, it } from 'vitest';
import { decodeRle } from '../../dicom/rle.ts';
import { bytesOf } from './build-dicom.ts';

/** A frame of segments that are already packed. */
const rleFrame = (...segments: readonly (readonly number[])[]): Uint8Array => {
  const header = new DataView(new ArrayBuffer(64));
  header.setUint32(0, segments.length, true);
  let offset = 64;
  segments.forEach((segment, index) => {
    header.setUint32(4 + index * 4, offset, true);
    offset += segment.length;
  });
  return bytesOf(new Uint8Array(header.buffer), ...segments);
};

describe('RLE Lossless', () => {
  it('reads literal and replicate runs, and skips the empty one', () => {
    expect(decodeRle(rleFrame([2, 7, 8, 9, 128, 254, 5]), 6, 1, 1)).toEqual(Uint8Array.of(7, 8, 9, 5, 5, 5));
  });

  it('joins the bytes of 16-bit values with the most significant first', () => {
    expect(decodeRle(rleFrame([255, 1], [1, 0x10, 0x20]), 2, 1, 2)).toEqual(Uint8Array.of(0x10, 1, 0x20, 1));
  });

  it('interleaves the samples of colours, of 32 bits as well', () => {
    expect(decodeRle(rleFrame([255, 1], [255, 2], [255, 3]), 2, 3, 1)).toEqual(Uint8Array.of(1, 2, 3, 1, 2, 3));
    expect(decodeRle(rleFrame([0, 1], [0, 2], [0, 3], [0, 4]), 1, 1, 4)).toEqual(Uint8Array.of(4, 3, 2, 1));
  });

  it('does not write past the picture when a run is too long', () => {
    expect(decodeRle(rleFrame([129, 9]), 3, 1, 1)).toEqual(Uint8Array.of(9, 9, 9));
  });

  it.each([
    ['too few values', rleFrame([0, 1]), 5, 'holds 1 of 5 values'],
    ['another number of segments', rleFrame([0, 1], [0, 1]), 1, '2 segments where 1 are due'],
    ['no complete header', new Uint8Array(20), 1, 'header is not complete'],
  ])('rejects %s', (_, frame, pixels, text) => {
    expect(() => decodeRle(frame, pixels, 1, 1)).toThrow(text);
  });

  it('throws for segments outside the frame', () => {
    const frame = rleFrame([0, 1], [0, 1]);
    new DataView(frame.buffer).setUint32(8, 4000, true);
    expect(() => decodeRle(frame, 1, 1, 2)).toThrow('lies outside the frame');
  });
});
