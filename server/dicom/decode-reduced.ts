import { ybrFullToRgb } from '../../dicom/colour-conversion.ts';
import type { DecodedFrame, ImageDescription, PixelArray } from '../../dicom/image-model.ts';
import { codestreamOf, readJpeg2000Header } from '../../dicom/jpeg-2000.ts';
import { codecLayout } from '../../dicom/stored-values.ts';
import { pixelEncodingOf } from '../../dicom/transfer-syntax.ts';
import type { ReducingCodecs } from './codecs.ts';

const sizMarker = 0xff51;
const codMarker = 0xff52;

/** How often the codestream halves its picture (COD, T.800 A.6.1), and whether its first component is signed (SIZ, A.5.1). */
const readLevels = (codestream: Uint8Array): { readonly levels: number; readonly signed: boolean } => {
  const view = new DataView(codestream.buffer, codestream.byteOffset, codestream.byteLength);
  let signed = false;
  for (let at = 2; at + 10 <= codestream.length; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    if (marker === sizMarker) signed = at + 40 < codestream.length && view.getUint8(at + 40) >= 128;
    if (marker === codMarker) return { levels: view.getUint8(at + 9), signed };
    if (marker === 0xff90 || marker < 0xff00) break;
  }
  return { levels: 0, signed };
};

/** Whether a mean of neighbouring values says anything, and the values of a lower resolution are what they seem. */
const isReducible = (description: ImageDescription): boolean => {
  const { palette, modality, bitsStored, bitsAllocated, highBit, signed, sampleKind } = description;
  if (palette || modality.kind === 'lut' || sampleKind !== 'integer') return false;
  if (highBit !== bitsStored - 1 || bitsStored < 8 || bitsAllocated > 16) return false;
  return !(signed && bitsAllocated === 8);
};

/** Lower resolutions overshoot at edges, and a decoder may leave that as it is: nothing may wrap round. */
const clamp = (pixels: PixelArray, bits: number, signed: boolean): void => {
  const low = signed ? -(2 ** (bits - 1)) : 0;
  const high = low + 2 ** bits - 1;
  for (let index = 0; index < pixels.length; index++) {
    const value = pixels[index] ?? 0;
    if (value < low) pixels[index] = low;
    else if (value > high) pixels[index] = high;
  }
};

/**
 * A frame of JPEG 2000 or HTJ2K at the lowest of its own resolutions whose long side has `longSide` pixels or more: decoding the rest is left
 * out. Null where the codestream has none, or where its values would not be those of the full picture made smaller; then decode it whole.
 */
export const decodeReduced = async (
  description: ImageDescription,
  bytes: Uint8Array,
  longSide: number,
  codecs: ReducingCodecs,
): Promise<DecodedFrame | null> => {
  const encoding = pixelEncodingOf(description.transferSyntaxUid);
  if ((encoding !== 'jpeg-2000' && encoding !== 'htj2k') || !isReducible(description)) return null;
  const codestream = codestreamOf(bytes);
  const header = readJpeg2000Header(codestream);
  const { rows, columns, samplesPerPixel, signed } = description;
  if (header?.rows !== rows || header.columns !== columns || header.components !== samplesPerPixel) return null;
  const has = readLevels(codestream);
  const levels = Math.min(has.levels, Math.floor(Math.log2(Math.max(rows, columns) / longSide)));
  if (levels < 1 || (samplesPerPixel === 1 && has.signed !== signed)) return null;
  const picture = await codecs.reduced[encoding === 'htj2k' ? 'htj2k' : 'jpeg2000'](codestream, levels).catch(
    () => null,
  );
  const size = { rows: Math.ceil(rows / 2 ** levels), columns: Math.ceil(columns / 2 ** levels) };
  const count = size.rows * size.columns * samplesPerPixel;
  if (!picture || picture.components !== samplesPerPixel) return null;
  const bytesPerSample = picture.precision > 8 ? 2 : 1;
  const layout = codecLayout(description, picture.precision, bytesPerSample);
  if (layout.shift > 0 || picture.bytes.length !== count * bytesPerSample) return null;
  const isSigned = samplesPerPixel === 1 && signed;
  const { buffer } = picture.bytes;
  const pixels = bytesPerSample === 1 ? picture.bytes : isSigned ? new Int16Array(buffer) : new Uint16Array(buffer);
  clamp(pixels, layout.bits, isSigned);
  const isYbr = !header.multipleComponentTransform && description.photometricInterpretation.startsWith('YBR_FULL');
  if (samplesPerPixel === 3 && isYbr) ybrFullToRgb(pixels as Uint8Array, layout.bits);
  return { ...size, samples: samplesPerPixel, bits: layout.bits, pixels };
};
