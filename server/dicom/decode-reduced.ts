import { ybrFullToRgb } from '../../dicom/colour-conversion.ts';
import type { DecodedFrame, ImageDescription } from '../../dicom/image-model.ts';
import { codestreamOf, readJpeg2000Header } from '../../dicom/jpeg-2000.ts';
import { clampedValues, codecLayout } from '../../dicom/stored-values.ts';
import { pixelEncodingOf } from '../../dicom/transfer-syntax.ts';
import type { ReducingCodecs } from './codecs.ts';

/** Returns whether averages of neighbouring values are meaningful, so that a lower resolution can be displayed. */
const isReducible = (description: ImageDescription): boolean => {
  const { palette, modality, bitsStored, bitsAllocated, highBit, signed, sampleKind } = description;
  if (palette || modality.kind === 'lut' || sampleKind !== 'integer') return false;
  if (highBit !== bitsStored - 1 || bitsStored < 8 || bitsAllocated > 16) return false;
  return !(signed && bitsAllocated === 8);
};

/**
 * Decodes a JPEG 2000 or HTJ2K frame at its lowest resolution whose long side has at least `longSide` pixels. Null when the codestream has
 * none, or its values would differ from a downscaled picture; then decode it in full.
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
  const levels = Math.min(header.levels, Math.floor(Math.log2(Math.max(rows, columns) / longSide)));
  if (levels < 1 || (samplesPerPixel === 1 && header.signed !== signed)) return null;
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
  // Lower resolutions overshoot at edges, lossless ones too.
  const coded = { precision: picture.precision, signed: header.signed };
  const pixels = clampedValues(picture.bytes, count, { ...layout, signed: isSigned }, coded);
  const isYbr = !header.multipleComponentTransform && description.photometricInterpretation.startsWith('YBR_FULL');
  if (samplesPerPixel === 3 && isYbr) ybrFullToRgb(pixels as Uint8Array, layout.bits);
  return { ...size, samples: samplesPerPixel, bits: layout.bits, pixels };
};
