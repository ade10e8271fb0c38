import { type PixelEncoding, pixelEncodingOf, transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import { TRANSFER_SYNTAX } from '../../../dicom/write/transfer-syntax.ts';
import type { MediaRange } from './accept.ts';

/** How frames are sent. */
export interface FrameForm {
  readonly form: 'stored' | 'decoded' | 'jpeg-ls';
  readonly mediaType: string;
  readonly transferSyntax: string;
  /** One frame is the whole body. */
  readonly isSingle: boolean;
}

const octets = 'application/octet-stream';
const jpegLs = 'image/jls';

/** Media types of compressed frames (PS3.18 table 8.7.3-2). */
const mediaTypes: Readonly<Record<PixelEncoding, string>> = {
  native: octets,
  deflated: octets,
  rle: 'image/dicom-rle',
  'jpeg-baseline': 'image/jpeg',
  'jpeg-extended': 'image/jpeg',
  'jpeg-lossless': 'image/jpeg',
  'jpeg-ls': jpegLs,
  'jpeg-2000': 'image/jp2',
  htj2k: 'image/jphc',
  'jpeg-xl': 'image/jxl',
  unsupported: octets,
};

/** As older clients write them. */
const aliases: Readonly<Record<string, string>> = {
  'image/x-jls': jpegLs,
  'image/x-dicom-rle': 'image/dicom-rle',
  'image/rle': 'image/dicom-rle',
  'image/jhc': 'image/jphc',
  'image/jpx': 'image/jp2',
  'image/j2c': 'image/jp2',
};

const isAny = (type: string | null): boolean => type === null || type === '*/*';

/** Returns how frames of a transfer syntax are sent for a media range; null when they cannot be. Bytes without a syntax are decoded, and other frames encoded as JPEG-LS. */
export const frameFormFor =
  (storedSyntax: string, frames: number) =>
  ({ type, partType, transferSyntax }: MediaRange): FrameForm | null => {
    const isParts = type === 'multipart/related' || type === '*/*';
    const isSingle = !isParts;
    if (isSingle && frames > 1) return null;
    const media = isParts ? partType : type;
    const named = media === null ? null : (aliases[media] ?? media);
    const isNative = pixelEncodingOf(storedSyntax) === 'native';
    const stored = isNative ? transferSyntaxes.explicitLittleEndian : storedSyntax;
    const mediaType = mediaTypes[pixelEncodingOf(storedSyntax)];
    const asStored = { form: 'stored', mediaType, transferSyntax: stored, isSingle } as const;
    const isAsStored = transferSyntax === '*' || transferSyntax === stored || transferSyntax === storedSyntax;
    if (isAny(named) || named === octets || named === 'application/*') {
      if (isNative && transferSyntax === null) return asStored;
      if (isAsStored) return asStored;
      const isDecoded = transferSyntax === null || transferSyntax === transferSyntaxes.explicitLittleEndian;
      if (!isDecoded) return null;
      return { form: 'decoded', mediaType: octets, transferSyntax: transferSyntaxes.explicitLittleEndian, isSingle };
    }
    const isMedia = named === mediaType || (named === 'image/*' && mediaType !== octets);
    if (isMedia && (transferSyntax === null || isAsStored)) return asStored;
    const isEncoded = transferSyntax === null || transferSyntax === TRANSFER_SYNTAX.jpegLsLossless;
    if (named !== jpegLs || !isEncoded || pixelEncodingOf(storedSyntax) === 'unsupported') return null;
    return { form: 'jpeg-ls', mediaType: jpegLs, transferSyntax: TRANSFER_SYNTAX.jpegLsLossless, isSingle };
  };
