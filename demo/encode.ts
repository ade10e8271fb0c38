import sharp from 'sharp';
import type { BinaryValue, EncapsulatedFrames } from '../dicom/write/data-set.ts';
import { TRANSFER_SYNTAX } from '../dicom/write/transfer-syntax.ts';
import { encodeHtj2k, encodeJpeg2000, encodeJpegLs, type LosslessEncoder } from '../server/dicom/wasm-encoders.ts';
import type { Raster } from './raster.ts';
import type { DemoPacking } from './recipe.ts';
import { encodeRle } from './rle.ts';

export interface PackedPixels {
  readonly transferSyntax: string;
  readonly pixelData: BinaryValue | EncapsulatedFrames;
  /** Compression ratio of lossy packing. */
  readonly lossyRatio: number | null;
}

const PLAIN: Partial<Record<DemoPacking, string>> = {
  'explicit-le': TRANSFER_SYNTAX.explicitLittle,
  'implicit-le': TRANSFER_SYNTAX.implicitLittle,
  'explicit-be': TRANSFER_SYNTAX.explicitBig,
  deflated: TRANSFER_SYNTAX.deflated,
};

const WASM: Partial<Record<DemoPacking, { readonly transferSyntax: string; readonly encode: LosslessEncoder }>> = {
  'jpeg-ls': { transferSyntax: TRANSFER_SYNTAX.jpegLsLossless, encode: encodeJpegLs },
  'jpeg-2000': { transferSyntax: TRANSFER_SYNTAX.jpeg2000Lossless, encode: encodeJpeg2000 },
  htj2k: { transferSyntax: TRANSFER_SYNTAX.htj2kLossless, encode: encodeHtj2k },
};

const jpegBaseline = async (raster: Raster): Promise<PackedPixels> => {
  if (raster.kind !== 'colour') throw new TypeError('Baseline JPEG holds 8 bits; greyscale demo images have more');
  const raw = { width: raster.columns, height: raster.rows, channels: 3 } as const;
  const jpeg = await sharp(raster.pixels, { raw }).jpeg({ quality: 90, chromaSubsampling: '4:2:0' }).toBuffer();
  return {
    transferSyntax: TRANSFER_SYNTAX.jpegBaseline,
    pixelData: { frames: [new Uint8Array(jpeg)] },
    lossyRatio: raster.pixels.length / jpeg.length,
  };
};

/** Encodes pixels for a transfer syntax: losslessly, except baseline JPEG, which is for colour only. */
export const packPixels = async (raster: Raster, packing: DemoPacking): Promise<PackedPixels> => {
  const { pixels, columns, rows } = raster;
  const plain = PLAIN[packing];
  if (plain !== undefined) return { transferSyntax: plain, pixelData: pixels, lossyRatio: null };
  if (packing === 'jpeg-baseline') return jpegBaseline(raster);
  // Demo pixels require a little endian machine: every platform that Node 24 supports but one.
  const bytes = new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  if (packing === 'rle') {
    const frame = encodeRle(bytes, columns, raster.kind === 'colour' ? 3 : 2);
    return { transferSyntax: TRANSFER_SYNTAX.rle, pixelData: { frames: [frame] }, lossyRatio: null };
  }
  const wasm = WASM[packing];
  if (wasm === undefined || raster.kind === 'colour')
    throw new TypeError(`${packing} is not for ${raster.kind} demo images`);
  const frame = await wasm.encode(bytes, {
    width: columns,
    height: rows,
    bitsPerSample: raster.bitsStored,
    componentCount: 1,
    isSigned: pixels instanceof Int16Array,
    isUsingColorTransform: false,
  });
  return { transferSyntax: wasm.transferSyntax, pixelData: { frames: [frame] }, lossyRatio: null };
};
