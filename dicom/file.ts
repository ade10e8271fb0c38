import type { ByteSource, DataSet, DicomElement } from './data-set.ts';
import { inflated } from './inflate.ts';
import { DicomProblem } from './problem.ts';
import { blankVr, isPixelData, readElements } from './read-elements.ts';
import { tags } from './tags.ts';
import { transferSyntaxes } from './transfer-syntax.ts';

/** A DICOM file, read completely or in part. */
export interface DicomFile {
  readonly transferSyntaxUid: string;
  /** True when the file has no transfer syntax and it was detected. */
  readonly transferSyntaxGuessed: boolean;
  /** File meta information (group 0002); null when the file has none. */
  readonly meta: DataSet | null;
  readonly dataSet: DataSet;
}

export interface ReadFileOptions {
  /** Stop before the pixel data: `bytes` may then be only the head of a file. */
  readonly stopAtPixelData?: boolean;
  /** Maximum inflated size of a deflated data set. */
  readonly inflateLimitBytes?: number;
  /** `bytes` is the head of a file of this size. Anything beyond it except native pixel data is 'truncated'. */
  readonly fileBytes?: number;
}

const PREAMBLE_LENGTH = 128;
/** Largest tag of the first element of a data set: a usable object begins before the study and series attributes. */
const highestFirstGroup = 0x0020;
const INFLATE_LIMIT = 1 << 29;

const sourceOf = (bytes: Uint8Array, explicitVr: boolean, littleEndian: boolean): ByteSource => ({
  bytes,
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  explicitVr,
  littleEndian,
});

const groupAt = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);

/** Returns the offset of the meta information (after preamble and DICM, or 0), or null without any. */
const metaStart = (bytes: Uint8Array): number | null => {
  const prefix = String.fromCharCode(...bytes.subarray(PREAMBLE_LENGTH, PREAMBLE_LENGTH + 4));
  // "DICM" may occur by chance in a file without preamble, so group 0002 must follow.
  if (prefix === 'DICM' && groupAt(bytes, PREAMBLE_LENGTH + 4) === 2) return PREAMBLE_LENGTH + 4;
  return groupAt(bytes, 0) === 2 ? 0 : null;
};

const hasPrefix = (bytes: Uint8Array) =>
  String.fromCharCode(...bytes.subarray(PREAMBLE_LENGTH, PREAMBLE_LENGTH + 4)) === 'DICM';

const candidates: readonly { readonly uid: string; readonly explicitVr: boolean; readonly littleEndian: boolean }[] = [
  { uid: transferSyntaxes.explicitLittleEndian, explicitVr: true, littleEndian: true },
  { uid: transferSyntaxes.implicitLittleEndian, explicitVr: false, littleEndian: true },
  { uid: transferSyntaxes.explicitBigEndian, explicitVr: true, littleEndian: false },
];

/** Tries each uncompressed transfer syntax strictly on the data set at `at`; null when none fits. */
const guessSyntax = (bytes: Uint8Array, at: number): (typeof candidates)[number] | null => {
  for (const candidate of candidates) {
    const source = sourceOf(bytes, candidate.explicitVr, candidate.littleEndian);
    try {
      const { dataSet } = readElements(source, at, bytes.length, null, 0, { strict: true });
      if (dataSet.elements.size > 0 && looksPlausible(dataSet)) return candidate;
    } catch (problem) {
      if (!(problem instanceof DicomProblem)) throw problem;
      if (problem.code === 'truncated' && headFits(source, at)) return candidate;
    }
  }
  return null;
};

/** A data set without any of these is not usable for an archive, or is not a data set. */
const looksPlausible = (dataSet: DataSet): boolean => {
  const [first] = dataSet.elements.keys();
  return first !== undefined && first >>> 16 <= highestFirstGroup;
};

/** Number of elements that must be readable in a truncated file. */
const headFits = (source: ByteSource, at: number): boolean => {
  try {
    const { dataSet } = readElements(source, at, source.bytes.length, null, 0, { strict: true, stopAtTag: 0x00100000 });
    return dataSet.has(tags.sopClassUid) || dataSet.has(tags.sopInstanceUid);
  } catch {
    return false;
  }
};

/**
 * Whether a file with these first bytes could be DICOM: by its prefix, or by a valid first element. Needs 136 bytes.
 * Avoids reading other files completely.
 */
export const mayBeDicom = (head: Uint8Array): boolean => {
  if (metaStart(head) !== null || hasPrefix(head)) return true;
  if (head.length < 8) return false;
  return candidates.some(({ explicitVr, littleEndian }) => {
    const group = sourceOf(head, explicitVr, littleEndian).view.getUint16(0, littleEndian);
    return group <= highestFirstGroup;
  });
};

const guessOrRefuse = (bytes: Uint8Array, at: number) => {
  const guess = guessSyntax(bytes, at);
  if (guess) return guess;
  throw new DicomProblem(
    'not-dicom',
    hasPrefix(bytes)
      ? 'the file names no transfer syntax, and none of the plain ones fits'
      : 'there is no DICOM prefix, and the bytes are no data set in any plain transfer syntax',
  );
};

/** Whether the data set really is explicit little endian: some writers declare a wrong transfer syntax. */
const readsAs = (source: ByteSource, at: number): boolean => {
  if (!source.explicitVr || at + 8 > source.bytes.length) return true;
  const vr = String.fromCharCode(source.bytes[at + 4] ?? 0, source.bytes[at + 5] ?? 0);
  return /^[A-Z]{2}$/.test(vr) || vr === blankVr;
};

/**
 * Reads a DICOM file (PS3.10): with or without preamble, meta information and transfer syntax, deflated, big endian.
 * Only a deflated data set is copied, so a header with wrong lengths costs no memory.
 * @throws DicomProblem 'not-dicom', 'malformed', 'truncated', 'too-large'
 */
export const readDicomFile = (bytes: Uint8Array, options: ReadFileOptions = {}): DicomFile => {
  const readOptions = {
    ...(options.stopAtPixelData ? { stopAtTag: tags.extendedOffsetTable } : {}),
    ...(options.fileBytes === undefined ? {} : { fileBytes: options.fileBytes }),
  };
  const start = metaStart(bytes);
  if (start === null) {
    const at = 0;
    const guess = guessOrRefuse(bytes, at);
    const source = sourceOf(bytes, guess.explicitVr, guess.littleEndian);
    const { dataSet } = readElements(source, at, bytes.length, null, 0, readOptions);
    return { transferSyntaxUid: guess.uid, transferSyntaxGuessed: true, meta: null, dataSet };
  }
  const metaSource = sourceOf(bytes, true, true);
  const { dataSet: meta, end } = readElements(metaSource, start, bytes.length, null, 0, { onlyGroup: 2 });
  const named = meta.code(tags.transferSyntaxUid);
  if (named === transferSyntaxes.deflatedLittleEndian) {
    const unpacked = inflated(bytes.subarray(end), options.inflateLimitBytes ?? INFLATE_LIMIT, 'data set');
    const { dataSet } = readElements(sourceOf(unpacked, true, true), 0, unpacked.length, null, 0, readOptions);
    return { transferSyntaxUid: named, transferSyntaxGuessed: false, meta, dataSet };
  }
  const explicitVr = named !== transferSyntaxes.implicitLittleEndian;
  const declared = sourceOf(bytes, explicitVr, named !== transferSyntaxes.explicitBigEndian);
  const trusted = named !== null && readsAs(declared, end);
  const guess = trusted ? null : guessOrRefuse(bytes, end);
  const source = guess ? sourceOf(bytes, guess.explicitVr, guess.littleEndian) : declared;
  const { dataSet } = readElements(source, end, bytes.length, null, 0, readOptions);
  return { transferSyntaxUid: named ?? guess?.uid ?? '', transferSyntaxGuessed: guess !== null, meta, dataSet };
};

/** Returns the element with the pixel values. */
export const pixelElementOf = ({ dataSet }: DicomFile): DicomElement | undefined =>
  [...dataSet.elements.values()].find(({ tag }) => isPixelData(tag));

/** Reads a file from its head; null when the head does not reach the pixel values. Frames must not be read. @param fileBytes size of the whole file */
export const readDicomHead = (head: Uint8Array, fileBytes: number): DicomFile | null => {
  try {
    const file = readDicomFile(head, { fileBytes });
    return pixelElementOf(file) ? file : null;
  } catch (problem) {
    if (problem instanceof DicomProblem) return null;
    throw problem;
  }
};
