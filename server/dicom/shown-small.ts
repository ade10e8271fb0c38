import sharp from 'sharp';
import { isColour, renderRgba } from '../../dicom/colour.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { defaultDisplay, greyOf, renderGrey, voisOf } from '../../dicom/grey.ts';
import type { DecodedFrame, DisplaySettings, ImageDescription, PixelArray } from '../../dicom/image-model.ts';
import { readJpegHeader } from '../../dicom/jpeg/header.ts';
import { type PixelEncoding, pixelEncodingOf } from '../../dicom/transfer-syntax.ts';
import type { ReducingCodecs } from './codecs.ts';
import { decodeReduced } from './decode-reduced.ts';

/** What is to be scaled to the size of a thumbnail: 8 bits, as shown. */
export interface Shown {
  readonly pixels: Uint8Array | Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The grey of every value that a frame can hold, at the value's low 16 bits; null for fractions and wider values. */
const greyTable = ({ pixels, bits }: DecodedFrame, display: DisplaySettings): Uint8ClampedArray | null => {
  if (pixels.BYTES_PER_ELEMENT > 2 || bits > 16) return null;
  const signed = pixels instanceof Int8Array || pixels instanceof Int16Array;
  const low = signed ? -(2 ** (bits - 1)) : 0;
  const table = new Uint8ClampedArray(0x10000);
  for (let value = low; value < low + 2 ** bits; value++) table[value & 0xffff] = greyOf(display, value) * 255;
  return table;
};

/** Means of the greys of blocks, smaller at the right and lower edges. */
const meansOf = (
  pixels: PixelArray | Uint8ClampedArray,
  table: Uint8ClampedArray | null,
  { width, height }: Size,
  block: number,
): Shown => {
  const columns = Math.ceil(width / block);
  const rows = Math.ceil(height / block);
  const means = new Uint8ClampedArray(rows * columns);
  const sums = new Float64Array(columns);
  for (let row = 0; row < rows; row++) {
    const bottom = Math.min(height, (row + 1) * block);
    sums.fill(0);
    for (let y = row * block; y < bottom; y++) {
      const start = y * width;
      for (let column = 0; column < columns; column++) {
        const end = start + Math.min(width, (column + 1) * block);
        let sum = 0;
        for (let at = start + column * block; at < end; at++) {
          const value = pixels[at] ?? 0;
          sum += table ? (table[value & 0xffff] ?? 0) : value;
        }
        sums[column] = (sums[column] ?? 0) + sum;
      }
    }
    const high = bottom - row * block;
    for (let column = 0; column < columns; column++) {
      const wide = Math.min(width, (column + 1) * block) - column * block;
      means[row * columns + column] = (sums[column] ?? 0) / (high * wide);
    }
  }
  return { pixels: means, width: columns, height: rows, channels: 1 };
};

const greyShown = (frame: DecodedFrame, display: DisplaySettings, block: number): Shown => {
  const size = { width: frame.columns, height: frame.rows };
  const table = greyTable(frame, display);
  return table ? meansOf(frame.pixels, table, size, block) : meansOf(renderGrey(frame, display), null, size, block);
};

const colourShown = (description: ImageDescription, frame: DecodedFrame): Shown => {
  const size = { width: frame.columns, height: frame.rows };
  const { pixels } = frame;
  if (!description.palette && frame.bits === 8 && pixels instanceof Uint8Array) return { ...size, pixels, channels: 3 };
  return { ...size, pixels: renderRgba(description, frame, 0), channels: 4 };
};

const jpegEncodings: readonly PixelEncoding[] = ['jpeg-baseline', 'jpeg-extended', 'jpeg-lossless'];

/**
 * A JPEG that libjpeg decodes at half, a quarter or an eighth of its size: 8 bits, and of three components only those that it turns into RGB
 * by itself, rightly. Already of the size that is wanted.
 */
const jpegShown = async (
  description: ImageDescription,
  codestream: Uint8Array,
  display: DisplaySettings | null,
  size: Size,
): Promise<Shown | null> => {
  const { samplesPerPixel, bitsStored, bitsAllocated, signed, palette, photometricInterpretation } = description;
  if (!jpegEncodings.includes(pixelEncodingOf(description.transferSyntaxUid)) || palette) return null;
  if (bitsStored !== 8 || bitsAllocated !== 8 || (signed && samplesPerPixel === 1)) return null;
  try {
    const { frame, jfif, adobeTransform } = readJpegHeader(codestream);
    const { precision, process, rows, columns, components } = frame;
    if (precision !== 8 || process > 0xc2 || components.length !== samplesPerPixel) return null;
    if (rows !== description.rows || columns !== description.columns) return null;
    const isYbr =
      jfif || adobeTransform === 1 || (adobeTransform === null && photometricInterpretation.startsWith('YBR'));
    const isNamedRgb = components.map(({ id }) => String.fromCharCode(id)).join('') === 'RGB';
    if (samplesPerPixel === 3 && (!isYbr || isNamedRgb)) return null;
    const scaled = sharp(codestream, { ignoreIcc: true })
      .resize({ ...size, fit: 'fill', fastShrinkOnLoad: false })
      .toColourspace(samplesPerPixel === 3 ? 'srgb' : 'b-w');
    const { data, info } = await scaled.raw().toBuffer({ resolveWithObject: true });
    if (info.channels !== samplesPerPixel) return null;
    if (samplesPerPixel === 3) return { ...size, pixels: data, channels: 3 };
    const small = {
      rows: size.height,
      columns: size.width,
      samples: 1,
      bits: 8,
      pixels: new Uint8Array(data),
    } as const;
    return display && greyShown(small, display, 1);
  } catch {
    // Whatever is wrong with it, the decoder of whole frames names it.
    return null;
  }
};

/**
 * A frame as its header wants it shown, no larger than helps to make a picture of `size` of it: at a resolution of its own where the codec has
 * one, else by means of blocks. A window that the header does not name is spread over the values of the whole frame, as everywhere else.
 * @throws DicomProblem whatever decoding throws
 */
export const shownSmall = async (
  description: ImageDescription,
  codestream: Uint8Array,
  size: Size,
  codecs: ReducingCodecs,
): Promise<Shown> => {
  const colour = isColour(description);
  const named = !colour && voisOf(description, 0).length > 0;
  const longSide = Math.max(size.width, size.height);
  if (colour || named) {
    const display = colour ? null : defaultDisplay(description, 0, new Uint8Array());
    const jpeg = await jpegShown(description, codestream, display, size);
    if (jpeg) return jpeg;
    const frame = await decodeReduced(description, codestream, longSide, codecs);
    if (frame) return display ? greyShown(frame, display, 1) : colourShown(description, frame);
  }
  const frame = await decodeFrame(description, codestream, codecs);
  if (colour) return colourShown(description, frame);
  // Means of half the way, as libvips would take them; the rest is for a better filter.
  const block = Math.min(frame.columns / size.width, frame.rows / size.height) / 2;
  return greyShown(frame, defaultDisplay(description, 0, frame.pixels), Math.max(1, Math.floor(block)));
};
