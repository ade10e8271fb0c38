import type { Codecs } from '../../dicom/codecs.ts';
import type { DecodedFrame, ImageDescription, PixelArray } from '../../dicom/image-model.ts';
import { decodeRendition, type Rendition, type StoredAs } from '../../dicom/rendition/rendition.ts';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { TRANSFER_SYNTAX } from '../../dicom/write/transfer-syntax.ts';
import { encodeHtj2k } from './wasm-encoders.ts';

export type PackedValues = Pick<Rendition, 'kind' | 'stored' | 'payload'>;

const bytesOf = ({ buffer, byteOffset, byteLength }: PixelArray) => new Uint8Array(buffer, byteOffset, byteLength);

const isSigned = (pixels: PixelArray) =>
  pixels instanceof Int8Array || pixels instanceof Int16Array || pixels instanceof Int32Array;

const sampleKindOf = (pixels: PixelArray): StoredAs['sampleKind'] => {
  if (pixels instanceof Float32Array) return 'float32';
  return pixels instanceof Float64Array ? 'float64' : 'integer';
};

const storedAsOf = (description: ImageDescription, frame: DecodedFrame): StoredAs => {
  const { rows, columns, samples, pixels } = frame;
  const bitsAllocated = pixels.BYTES_PER_ELEMENT * 8;
  // Grey values use the whole container, so that none is clipped; colour keeps its bits, which define full brightness.
  const bitsStored = samples === 3 ? frame.bits : bitsAllocated;
  return {
    transferSyntaxUid: transferSyntaxes.explicitLittleEndian,
    rows,
    columns,
    samplesPerPixel: samples,
    sampleKind: sampleKindOf(pixels),
    bitsAllocated,
    bitsStored,
    highBit: bitsStored - 1,
    signed: isSigned(pixels),
    planarConfiguration: 0,
    photometricInterpretation: samples === 3 ? 'RGB' : description.photometricInterpretation,
  };
};

const htj2kOf = async (frame: DecodedFrame, raw: StoredAs): Promise<PackedValues> => {
  const { bits, samples, columns, rows } = frame;
  const bitsAllocated = bits > 8 ? 16 : 8;
  const narrow = bitsAllocated === 8 && raw.bitsAllocated === 16;
  const values = narrow ? (raw.signed ? Int8Array : Uint8Array).from(frame.pixels) : frame.pixels;
  const payload = await encodeHtj2k(bytesOf(values), {
    width: columns,
    height: rows,
    bitsPerSample: bits,
    componentCount: samples,
    isSigned: raw.signed,
    isUsingColorTransform: samples === 3,
  });
  const stored = { ...raw, bitsAllocated, bitsStored: bits, highBit: bits - 1 };
  return { kind: 'htj2k', payload, stored: { ...stored, transferSyntaxUid: TRANSFER_SYNTAX.htj2kLossless } };
};

const sameValues = (one: PixelArray, other: PixelArray): boolean => {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
};

/**
 * Encodes values losslessly as HTJ2K and verifies by decoding and comparing every value. Falls back to plain little endian for values that the
 * encoder does not support (32 bits, floats, colour beyond 8 bits) or when verification fails.
 */
export const packValues = async (
  description: ImageDescription,
  frame: DecodedFrame,
  codecs: Codecs,
): Promise<PackedValues> => {
  const raw = storedAsOf(description, frame);
  if (raw.sampleKind === 'integer' && frame.bits <= (frame.samples === 3 ? 8 : 16) && raw.bitsAllocated <= 16) {
    try {
      const packed = await htj2kOf(frame, raw);
      const back = await decodeRendition({ description, ...packed }, codecs);
      if (back.bits === frame.bits && sameValues(back.pixels, frame.pixels)) return packed;
    } catch {
      // The encoder may be out of memory or not support this shape: then the values stay uncompressed.
    }
  }
  return { kind: 'raw', stored: raw, payload: bytesOf(frame.pixels) };
};
