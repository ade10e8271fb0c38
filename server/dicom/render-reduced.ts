import sharp from 'sharp';
import { isColour, renderRgba } from '../../dicom/colour.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { defaultDisplay, greyOf, renderGrey, voisOf } from '../../dicom/grey.ts';
import type { DecodedFrame, DisplaySettings, ImageDescription, PixelArray } from '../../dicom/image-model.ts';
import { readJpegHeader } from '../../dicom/jpeg/header.ts';
import { codedValues } from '../../dicom/stored-values.ts';
import { type PixelEncoding, pixelEncodingOf } from '../../dicom/transfer-syntax.ts';
import type { ReducingCodecs } from './codecs.ts';
import { decodeReduced } from './decode-reduced.ts';

/** 8-bit pixels for display, to be scaled to thumbnail size. */
export interface RenderedImage {
  readonly pixels: Uint8Array | Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns a table of the display value for each stored value, indexed by its low 16 bits; null for floats and wider values. */
const greyTable = ({ pixels, bits }: DecodedFrame, display: DisplaySettings): Uint8ClampedArray | null => {
  if (pixels.BYTES_PER_ELEMENT > 2 || bits > 16) return null;
  const signed = pixels instanceof Int8Array || pixels instanceof Int16Array;
  const low = signed ? -(2 ** (bits - 1)) : 0;
  const table = new Uint8ClampedArray(0x10000);
  for (let value = low; value < low + 2 ** bits; value++) table[value & 0xffff] = greyOf(display, value) * 255;
  return table;
};

/** Averages display values over blocks; blocks at the right and lower edges may be smaller. */
const meansOf = (
  pixels: PixelArray | Uint8ClampedArray,
  table: Uint8ClampedArray | null,
  { width, height }: Size,
  block: number,
): RenderedImage => {
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

const renderReducedGrey = (frame: DecodedFrame, display: DisplaySettings, block: number): RenderedImage => {
  const size = { width: frame.columns, height: frame.rows };
  const table = greyTable(frame, display);
  return table ? meansOf(frame.pixels, table, size, block) : meansOf(renderGrey(frame, display), null, size, block);
};

const renderColour = (description: ImageDescription, frame: DecodedFrame): RenderedImage => {
  const size = { width: frame.columns, height: frame.rows };
  const { pixels } = frame;
  if (!description.palette && frame.bits === 8 && pixels instanceof Uint8Array) return { ...size, pixels, channels: 3 };
  return { ...size, pixels: renderRgba(description, frame, 0), channels: 4 };
};

const jpegEncodings: readonly PixelEncoding[] = ['jpeg-baseline', 'jpeg-extended', 'jpeg-lossless'];

/**
 * Decodes a JPEG with libjpeg at reduced size: 8 bits, and with three components only those that libjpeg converts to RGB correctly. The result
 * has the requested size.
 */
const renderJpeg = async (
  description: ImageDescription,
  codestream: Uint8Array,
  display: DisplaySettings | null,
  size: Size,
): Promise<RenderedImage | null> => {
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
    return display && renderReducedGrey(small, display, 1);
  } catch {
    // On any error the full-frame decoder runs and names the problem.
    return null;
  }
};

/**
 * Renders a frame as its header specifies, at about the given `size`: at a lower resolution of the codestream where there is one, else by
 * averaging blocks. Without a window in the header the full range of the frame is used, as in the viewer.
 * @throws DicomProblem as decoding does
 */
export const renderReduced = async (
  description: ImageDescription,
  codestream: Uint8Array,
  size: Size,
  codecs: ReducingCodecs,
): Promise<RenderedImage> => {
  const colour = isColour(description);
  const named = !colour && voisOf(description, 0).length > 0;
  const longSide = Math.max(size.width, size.height);
  if (colour || named) {
    const display = colour ? null : defaultDisplay(description, 0, new Uint8Array());
    const jpeg = await renderJpeg(description, codestream, display, size);
    if (jpeg) return jpeg;
    const frame = await decodeReduced(description, codestream, longSide, codecs);
    if (frame) return display ? renderReducedGrey(frame, display, 1) : renderColour(description, frame);
  }
  const frame = await decodeFrame(description, codestream, codecs);
  if (colour) return renderColour(description, frame);
  // Averages to half the reduction, as libvips does; the rest is left to a better filter.
  const block = Math.min(frame.columns / size.width, frame.rows / size.height) / 2;
  return renderReducedGrey(frame, defaultDisplay(description, 0, codedValues(frame)), Math.max(1, Math.floor(block)));
};
