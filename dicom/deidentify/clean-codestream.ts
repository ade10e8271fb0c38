import type { ImageDescription } from '../image-model.ts';
import { DicomProblem } from '../problem.ts';
import { type PixelEncoding, pixelEncodingOf } from '../transfer-syntax.ts';
import { cleanRle } from './clean-samples.ts';

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const begins = (bytes: Uint8Array, at: number, text: string): boolean =>
  [...text].every((character, index) => bytes[at + index] === character.charCodeAt(0));

/** Returns the bytes of application data that decoders need: JFIF without its thumbnail, Adobe's and HP's colour transform. */
const neededBytes = (bytes: Uint8Array, marker: number, at: number): number => {
  if (marker === 0xe0 && begins(bytes, at, 'JFIF\0')) return 12;
  if (marker === 0xee && begins(bytes, at, 'Adobe')) return 12;
  return marker === 0xe8 && begins(bytes, at, 'mrfx') ? 5 : 0;
};

/** Frame headers, tables and restart intervals of ITU-T T.81 and T.87, but not of the hierarchical process. */
const isCodingSegment = (marker: number) =>
  (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) ||
  (marker >= 0xda && marker <= 0xdd) ||
  marker === 0xf7 ||
  marker === 0xf8;

/** Returns the length that a segment must have; null for tables, whose length is that of their content. */
const statedLength = (bytes: Uint8Array, marker: number, at: number): number | null => {
  if (marker === 0xda) return 6 + 2 * (bytes[at] ?? 0);
  if (marker === 0xdc || marker === 0xdd) return 4;
  // Of the tables of JPEG-LS, DICOM images use the coding parameters only.
  if (marker === 0xf8) return bytes[at] === 1 ? 13 : 0;
  if (marker === 0xc4 || marker === 0xcc || marker === 0xdb) return null;
  return 8 + 3 * (bytes[at + 5] ?? 0);
};

/** Returns the offset of the next marker in entropy-coded data; stuffed bytes and restarts are no markers. */
const nextMarker = (bytes: Uint8Array, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd7)) return at;
  }
  return bytes.length;
};

/** Overwrites application data and comments of a JPEG or JPEG-LS codestream, and what follows its end. */
const cleanJpeg = (bytes: Uint8Array): void => {
  const view = viewOf(bytes);
  let at = 2;
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) throw new DicomProblem('malformed', 'a JPEG codestream has no marker where one must be');
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) break;
    const length = view.getUint16(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length) throw new DicomProblem('truncated', 'a JPEG codestream ends in a segment');
    if (isCodingSegment(marker)) {
      if ((statedLength(bytes, marker, at + 4) ?? length) !== length)
        throw new DicomProblem('malformed', 'a segment of a JPEG codestream has a wrong length');
    } else bytes.fill(0, Math.min(end, at + 4 + neededBytes(bytes, marker, at + 4)), end);
    at = marker === 0xda ? nextMarker(bytes, end) : end;
  }
  bytes.fill(0, Math.min(bytes.length, at + 2));
};

/** Marker segments of ITU-T T.800 and T.814 that decoders need; 0x64 is a comment. */
const jpeg2000Segments = new Set([
  0x50, 0x51, 0x52, 0x53, 0x55, 0x57, 0x58, 0x59, 0x5c, 0x5d, 0x5e, 0x5f, 0x60, 0x61, 0x63, 0x90,
]);

/** Overwrites the comments of a header and returns the offset of the first marker in `ends`. */
const cleanJpeg2000Header = (bytes: Uint8Array, from: number, ends: readonly number[]): number => {
  const view = viewOf(bytes);
  let at = from;
  while (at + 4 <= bytes.length) {
    const marker = view.getUint16(at);
    if (ends.includes(marker)) return at;
    const length = view.getUint16(at + 2);
    const end = at + 2 + length;
    const isComment = marker === 0xff64;
    if (
      marker >>> 8 !== 0xff ||
      length < 2 ||
      end > bytes.length ||
      !(isComment || jpeg2000Segments.has(marker & 0xff))
    ) {
      throw new DicomProblem('malformed', 'a JPEG 2000 header has an unknown segment');
    }
    // The registration value of a comment stays (T.800 A.9.2).
    if (isComment) bytes.fill(0, Math.min(end, at + 6), end);
    at = end;
  }
  throw new DicomProblem('truncated', 'a JPEG 2000 codestream ends in a header');
};

const startOfTile = 0xff90;
const startOfData = 0xff93;
const endOfCodestream = 0xffd9;

/** Overwrites the comments of a JPEG 2000 or HTJ2K codestream, and what follows its end. */
const cleanJpeg2000 = (bytes: Uint8Array): void => {
  const view = viewOf(bytes);
  let at = cleanJpeg2000Header(bytes, 2, [startOfTile]);
  while (at + 12 <= bytes.length && view.getUint16(at) === startOfTile) {
    const tileBytes = view.getUint32(at + 6);
    const dataAt = cleanJpeg2000Header(bytes, at, [startOfData]);
    // Zero: the tile-part goes up to the end of the codestream (T.800 A.4.2), where padding may follow.
    // Its data hold no marker above 0xff8f, so that the first end is the true one.
    if (tileBytes === 0)
      at = bytes.findIndex((byte, index) => index > dataAt && byte === 0xff && bytes[index + 1] === 0xd9);
    else at += tileBytes;
    if (at < dataAt) throw new DicomProblem('malformed', 'a tile-part of a JPEG 2000 codestream ends in its header');
  }
  if (at + 2 <= bytes.length && view.getUint16(at) !== endOfCodestream) {
    throw new DicomProblem('malformed', 'a JPEG 2000 codestream has no end where one must be');
  }
  bytes.fill(0, Math.min(bytes.length, at + 2));
};

/** Returns whether bytes begin a codestream of the JPEG family; others have no start of their own. */
export const beginsCodestream = (bytes: Uint8Array, encoding: PixelEncoding): boolean => {
  if (bytes[0] !== 0xff) return !encoding.startsWith('jpeg') && encoding !== 'htj2k';
  if (encoding === 'jpeg-2000' || encoding === 'htj2k') return bytes[1] === 0x4f;
  return encoding.startsWith('jpeg') ? bytes[1] === 0xd8 : true;
};

/**
 * Overwrites everything in a compressed frame that is no image: comments, application data such as EXIF, unused parts of RLE, and what follows its
 * end. The length does not change.
 * @throws DicomProblem 'malformed' or 'truncated'
 */
export const cleanCodestream = (bytes: Uint8Array, description: ImageDescription): void => {
  const encoding = pixelEncodingOf(description.transferSyntaxUid);
  if (!beginsCodestream(bytes, encoding)) throw new DicomProblem('malformed', 'a frame is no plain codestream');
  if (encoding === 'rle') cleanRle(bytes, description);
  else if (encoding === 'jpeg-2000' || encoding === 'htj2k') cleanJpeg2000(bytes);
  else cleanJpeg(bytes);
};
