/** How the values of a data set and its pixels are written: DICOM PS3.5 chapter 10 and annex A. */
export type PixelEncoding =
  | 'native'
  | 'deflated'
  | 'rle'
  | 'jpeg-baseline'
  | 'jpeg-extended'
  | 'jpeg-lossless'
  | 'jpeg-ls'
  | 'jpeg-2000'
  | 'htj2k'
  | 'jpeg-xl'
  | 'unsupported';

export const transferSyntaxes = {
  implicitLittleEndian: '1.2.840.10008.1.2',
  explicitLittleEndian: '1.2.840.10008.1.2.1',
  deflatedLittleEndian: '1.2.840.10008.1.2.1.99',
  explicitBigEndian: '1.2.840.10008.1.2.2',
} as const;

export const pixelEncodings: Readonly<Record<string, PixelEncoding>> = {
  '1.2.840.10008.1.2': 'native',
  '1.2.840.10008.1.2.1': 'native',
  '1.2.840.10008.1.2.1.99': 'native',
  '1.2.840.10008.1.2.2': 'native',
  '1.2.840.10008.1.2.1.98': 'native',
  '1.2.840.10008.1.2.8.1': 'deflated',
  '1.2.840.10008.1.2.5': 'rle',
  '1.2.840.10008.1.2.4.50': 'jpeg-baseline',
  '1.2.840.10008.1.2.4.51': 'jpeg-extended',
  '1.2.840.10008.1.2.4.53': 'jpeg-extended',
  '1.2.840.10008.1.2.4.55': 'jpeg-extended',
  '1.2.840.10008.1.2.4.57': 'jpeg-lossless',
  '1.2.840.10008.1.2.4.70': 'jpeg-lossless',
  '1.2.840.10008.1.2.4.80': 'jpeg-ls',
  '1.2.840.10008.1.2.4.81': 'jpeg-ls',
  '1.2.840.10008.1.2.4.90': 'jpeg-2000',
  '1.2.840.10008.1.2.4.91': 'jpeg-2000',
  '1.2.840.10008.1.2.4.201': 'htj2k',
  '1.2.840.10008.1.2.4.202': 'htj2k',
  '1.2.840.10008.1.2.4.203': 'htj2k',
  '1.2.840.10008.1.2.4.110': 'jpeg-xl',
  '1.2.840.10008.1.2.4.111': 'jpeg-xl',
  '1.2.840.10008.1.2.4.112': 'jpeg-xl',
};

export const pixelEncodingOf = (transferSyntaxUid: string): PixelEncoding =>
  pixelEncodings[transferSyntaxUid] ?? 'unsupported';

/** Videos that browsers can play: H.264 and HEVC, in one fragment or several (PS3.5 A.4.5 to A.4.12). MPEG-2 is none of them. */
export const isVideo = (transferSyntaxUid: string): boolean =>
  /^1\.2\.840\.10008\.1\.2\.4\.(10[2-6](\.1)?|107|108)$/.test(transferSyntaxUid);

/** Transfer syntaxes that are always lossy: videos, and JPEG; a recompressed JPEG (.111) is as lossy as before. Others may be either. */
export const isAlwaysLossy = (transferSyntaxUid: string): boolean =>
  isVideo(transferSyntaxUid) || /^1\.2\.840\.10008\.1\.2\.4\.(50|51|53|55|111)$/.test(transferSyntaxUid);

/** JPEG 2000, HTJ2K and JPEG XL syntaxes that allow loss. */
export const mayBeLossy = (transferSyntaxUid: string): boolean =>
  /^1\.2\.840\.10008\.1\.2\.4\.(91|112|203)$/.test(transferSyntaxUid);

/** How the pixels are stored now: 'lossy' also for pictures that were compressed so at any earlier time. */
export const compressionOf = (transferSyntaxUid: string, lossy: boolean): 'none' | 'lossless' | 'lossy' => {
  if (lossy || isAlwaysLossy(transferSyntaxUid)) return 'lossy';
  return pixelEncodingOf(transferSyntaxUid) === 'native' ? 'none' : 'lossless';
};
