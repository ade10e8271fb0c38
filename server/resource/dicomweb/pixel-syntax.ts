import type { DicomJson } from '../../../dicom/dicom-json.ts';
import { nextSegment, readJpegHeader } from '../../../dicom/jpeg/header.ts';
import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';

const dicom = '1.2.840.10008.1.2';
/** Transfer syntaxes of compressed pixels by media type (PS3.18 table 10.5.2-1), the default first, and the bytes with which they begin. */
const compressed: Readonly<
  Record<string, { readonly syntaxes: readonly string[]; readonly magic: readonly number[] }>
> = {
  'image/jpeg': { syntaxes: ['50', '51', '57', '70'].map((end) => `${dicom}.4.${end}`), magic: [0xff, 0xd8] },
  'image/jls': { syntaxes: ['80', '81'].map((end) => `${dicom}.4.${end}`), magic: [0xff, 0xd8] },
  'image/jp2': { syntaxes: ['90', '91'].map((end) => `${dicom}.4.${end}`), magic: [0xff, 0x4f] },
  'image/jphc': { syntaxes: ['201', '202', '203'].map((end) => `${dicom}.4.${end}`), magic: [0xff, 0x4f] },
  'image/dicom-rle': { syntaxes: [`${dicom}.5`], magic: [] },
};

/** Returns the selection value of the predictor: it follows the components in the header of the scan (ITU-T T.81 B.2.3). */
const predictorOf = (codestream: Uint8Array): number | undefined => {
  for (let segment = nextSegment(codestream, 0); segment; segment = nextSegment(codestream, segment.end))
    if (segment.marker === 0xda) return segment.body[1 + (segment.body[0] ?? 0) * 2];
  return undefined;
};

/** Returns the syntax of a JPEG by its process. @throws TypeError for one that DICOM does not have */
const jpegSyntax = (head: Uint8Array): string => {
  const { process } = readJpegHeader(head).frame;
  if (process === 0xc0) return `${dicom}.4.50`;
  if (process === 0xc1) return `${dicom}.4.51`;
  if (process === 0xc3) return `${dicom}.4.${predictorOf(head) === 1 ? '70' : '57'}`;
  throw new TypeError('a JPEG of another process');
};

export interface PixelPart {
  readonly mediaType: string;
  /** As its media type names it. */
  readonly transferSyntax: string | null;
  /** The first bytes. */
  readonly head: Uint8Array;
  readonly length: number;
}

const first = (json: DicomJson, tag: string): unknown => json[tag]?.Value?.[0];
const positive = (json: DicomJson, tag: string): number => {
  const number = Number(first(json, tag));
  if (!Number.isInteger(number) || number < 1) throw new TypeError(`${tag} is missing`);
  return number;
};

/** Bytes of uncompressed pixels; in YBR_FULL_422 two pixels share their colour. */
const nativeLength = (json: DicomJson, frames: number): number => {
  const samples = first(json, '00280004') === 'YBR_FULL_422' ? 2 : positive(json, '00280002');
  const bits = positive(json, '00280010') * positive(json, '00280011') * samples * positive(json, '00280100');
  return Math.ceil((bits * frames) / 8);
};

/**
 * Returns the transfer syntax of an instance by the media type of its pixel data.
 * @throws TypeError or RangeError for pixels that do not fit their description or media type; DicomProblem for a JPEG that is none
 */
export const pixelSyntaxOf = (json: DicomJson, { mediaType, transferSyntax, head, length }: PixelPart): string => {
  const frames = first(json, '00280008') === undefined ? 1 : positive(json, '00280008');
  const expected = nativeLength(json, frames);
  if (mediaType === 'application/octet-stream') {
    if (transferSyntax !== null && transferSyntax !== transferSyntaxes.explicitLittleEndian)
      throw new TypeError('uncompressed pixels are little endian');
    if (length !== expected && length !== expected + (expected % 2)) throw new RangeError('pixels of another length');
    return transferSyntaxes.explicitLittleEndian;
  }
  const known = compressed[mediaType];
  if (!known) throw new TypeError('an unknown media type');
  if (frames > 1) throw new RangeError('several frames in one codestream');
  if (!known.magic.every((byte, index) => head[index] === byte)) throw new TypeError('no codestream');
  const found = mediaType === 'image/jpeg' ? jpegSyntax(head) : (transferSyntax ?? known.syntaxes[0] ?? '');
  if (!known.syntaxes.includes(found) || (transferSyntax !== null && transferSyntax !== found))
    throw new TypeError('another transfer syntax');
  return found;
};
