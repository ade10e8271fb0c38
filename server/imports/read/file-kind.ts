import { open } from 'node:fs/promises';

export type FileKind = 'empty' | 'picture' | 'pdf' | 'video' | 'zip' | 'gzip' | 'dicom-or-unknown';

/** Whether a file is unpacked: its contents are imported in its place. */
export const isPacked = (kind: FileKind): boolean => kind === 'zip' || kind === 'gzip';

const jpeg = Buffer.from([0xff, 0xd8, 0xff]);
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** TIFF and BigTIFF in both byte orders. */
const tiffs = ['49492a00', '4d4d002a', '49492b00', '4d4d002b'].map((hex) => Buffer.from(hex, 'hex'));
/** Brands of HEIC in the file type box (ISO/IEC 23008-12 10.2.2, B.4.1.2); `mif1` alone may be another codec. */
const heicBrands = ['heic', 'heix', 'heim', 'heis', 'mif1'];
const pdf = Buffer.from('%PDF-', 'latin1');
const zip = Buffer.from('PK\x03\x04', 'latin1');
/** Signature of an empty zip: the end of its directory alone. */
const emptyZip = Buffer.from('PK\x05\x06', 'latin1');
/** With deflate, the only method (RFC 1952). */
const gzip = Buffer.from([0x1f, 0x8b, 0x08]);
const headLength = 132;

/** Brands of MP4, QuickTime and 3GP in the same box. */
const videoBrand = /^(iso[\dm]|mp4\d|avc1|M4V|qt {2}|3g[p2]|dash|MSNV)/;
/** Signatures of Matroska and WebM, of Windows Media, and of MPEG program streams. */
const videos = ['1a45dfa3', '3026b2758e66cf11', '000001ba', '000001b3'].map((hex) => Buffer.from(hex, 'hex'));

/** Returns the brand of a file of boxes (ISO/IEC 14496-12); null for other files. */
const brandOf = (head: Buffer): string | null =>
  head.toString('latin1', 4, 8) === 'ftyp' ? head.toString('latin1', 8, 12) : null;

const isAvi = (head: Buffer): boolean => /^RIFF.{4}AVI /s.test(head.toString('latin1', 0, 12));

/** Detects the kind of a file by its first bytes, not its name. `DICM` is tested first, because a DICOM preamble can contain anything. */
export const kindOfHead = (head: Buffer): FileKind => {
  if (head.length === 0) return 'empty';
  if (head.subarray(128, 132).toString('latin1') === 'DICM') return 'dicom-or-unknown';
  const starts = (magic: Buffer) => head.subarray(0, magic.length).equals(magic);
  if (starts(zip) || starts(emptyZip)) return 'zip';
  if (starts(gzip)) return 'gzip';
  if (starts(pdf)) return 'pdf';
  const brand = brandOf(head);
  if ([jpeg, png, ...tiffs].some(starts) || (brand && heicBrands.includes(brand))) return 'picture';
  return videos.some(starts) || isAvi(head) || (brand && videoBrand.test(brand)) ? 'video' : 'dicom-or-unknown';
};

export const fileKind = async (path: string): Promise<FileKind> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headLength), 0, headLength, 0);
    return kindOfHead(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
};

/** The last line `%%EOF` may be followed by other bytes (ISO 32000-2 annex I). */
const pdfEndWithin = 1024;

/** Returns whether a PDF has its last line: one that was cut off opens in part, or not at all. */
export const isWholePdf = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const end = Buffer.alloc(Math.min(size, pdfEndWithin));
    const { bytesRead } = await file.read(end, 0, end.length, size - end.length);
    return end.subarray(0, bytesRead).includes('%%EOF');
  } finally {
    await file.close();
  }
};
