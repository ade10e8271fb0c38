/** Transfer syntaxes by name (DICOM PS3.5 annex A, PS3.6 annex A). */
export const TRANSFER_SYNTAX = {
  implicitLittle: '1.2.840.10008.1.2',
  explicitLittle: '1.2.840.10008.1.2.1',
  deflated: '1.2.840.10008.1.2.1.99',
  explicitBig: '1.2.840.10008.1.2.2',
  rle: '1.2.840.10008.1.2.5',
  jpegBaseline: '1.2.840.10008.1.2.4.50',
  jpegLsLossless: '1.2.840.10008.1.2.4.80',
  jpeg2000Lossless: '1.2.840.10008.1.2.4.90',
  htj2kLossless: '1.2.840.10008.1.2.4.201',
} as const;

export interface Encoding {
  readonly explicitVr: boolean;
  readonly littleEndian: boolean;
}

/** How the elements of a data set are laid out under a transfer syntax; every compressed one is explicit little endian. */
export const encodingOf = (transferSyntaxUid: string): Encoding => ({
  explicitVr: transferSyntaxUid !== TRANSFER_SYNTAX.implicitLittle,
  littleEndian: transferSyntaxUid !== TRANSFER_SYNTAX.explicitBig,
});

/** True where Pixel Data is a run of fragments (PS3.5 A.4). */
export const isEncapsulated = (transferSyntaxUid: string): boolean =>
  transferSyntaxUid === TRANSFER_SYNTAX.rle || transferSyntaxUid.startsWith('1.2.840.10008.1.2.4.');
