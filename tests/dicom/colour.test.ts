import { describe, expect, it } from 'vitest';
import { isColour, renderRgba } from '../../dicom/colour.ts';
import { expand422, interleavePlanes, ybrFullToRgb } from '../../dicom/colour-conversion.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { describeImage } from '../../dicom/image-description.ts';
import type { DecodedFrame } from '../../dicom/image-model.ts';
import { bytesOf, element, type PictureHeader, part10, pictureHeader, us, words } from './build-dicom.ts';

const described = (header: PictureHeader) => {
  const set = bytesOf(pictureHeader(header), element(0x7fe00010, 'OW', [0, 0]));
  const description = describeImage(readDicomFile(part10(set)));
  if (!description) throw new Error('no picture');
  return description;
};

const frame = (samples: 1 | 3, bits: number, pixels: DecodedFrame['pixels']): DecodedFrame => ({
  rows: 1,
  columns: pixels.length / samples,
  samples,
  bits,
  pixels,
});

describe('colour', () => {
  it('of YBR_FULL follows CCIR 601: the primaries are restored', () => {
    const samples = Uint8Array.of(76, 85, 255, 150, 44, 21, 29, 255, 107, 255, 128, 128, 0, 128, 128);
    ybrFullToRgb(samples, 8);
    const expected = [254, 0, 0, 0, 255, 1, 0, 0, 254, 255, 255, 255, 0, 0, 0];
    for (const [index, value] of expected.entries())
      expect(Math.abs((samples[index] ?? -9) - value)).toBeLessThanOrEqual(1);
  });

  it('of 16 bits has its middle at 32768', () => {
    const samples = Uint16Array.of(40000, 32768, 32768);
    ybrFullToRgb(samples, 16);
    expect([...samples]).toEqual([40000, 40000, 40000]);
  });

  it('of odd width keeps the last pixel of a 4:2:2 row', () => {
    const packed = Uint8Array.of(1, 2, 50, 60, 3, 0, 70, 80);
    expect([...expand422(packed, 1, 3)]).toEqual([1, 50, 60, 2, 50, 60, 3, 70, 80]);
  });

  it('in planes is interleaved', () => {
    expect([...interleavePlanes(Uint8Array.of(1, 2, 3, 4, 5, 6), 2)]).toEqual([1, 3, 5, 2, 4, 6]);
  });

  it('of more than 8 bits is scaled to 8', () => {
    const description = described({ rows: 1, columns: 1, samples: 3, photometric: 'RGB', bits: 16 });
    const rgba = renderRgba(description, frame(3, 16, Uint16Array.of(0, 0x8000, 0xffff)), 0);
    expect([...rgba]).toEqual([0, 128, 255, 255]);
    expect(isColour(description)).toBe(true);
  });

  it('of a palette takes its ends for indices beyond them', () => {
    const more = bytesOf(
      ...[1, 2, 3].map((colour) => us(0x00281100 + colour, [2, 10, 8])),
      ...[1, 2, 3].map((colour) => element(0x00281200 + colour, 'OW', words([colour, colour * 20]))),
    );
    const description = described({ rows: 1, columns: 4, photometric: 'PALETTE COLOR', more });
    const rgba = renderRgba(description, frame(1, 8, Uint8Array.of(0, 10, 11, 200)), 0);
    expect([...rgba]).toEqual([1, 2, 3, 255, 1, 2, 3, 255, 20, 40, 60, 255, 20, 40, 60, 255]);
  });

  it('is absent in greyscale pictures', () => {
    const description = described({ rows: 1, columns: 2 });
    expect(isColour(description)).toBe(false);
    expect([...renderRgba(description, frame(1, 8, Uint8Array.of(5, 9)), 0)]).toEqual([
      0, 0, 0, 255, 255, 255, 255, 255,
    ]);
  });
});
