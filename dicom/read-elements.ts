import { type ByteSource, DataSet, type DicomElement } from './data-set.ts';
import { DicomProblem } from './problem.ts';
import { tags, tagText } from './tags.ts';

const longVrs = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV']);
const shortVrs = new Set(
  [
    'AE',
    'AS',
    'AT',
    'CS',
    'DA',
    'DS',
    'DT',
    'FD',
    'FL',
    'IS',
    'LO',
    'LT',
    'PN',
    'SH',
    'SL',
    'SS',
    'ST',
    'TM',
    'UI',
  ].concat(['UL', 'US']),
);
export const blankVr = '  ';
const UNDEFINED_LENGTH = 0xffffffff;
const MAX_DEPTH = 64;
/** Far beyond any real object; otherwise a file of empty elements, items or fragments would exhaust the memory. */
const MAX_MEMBERS = 100_000;
const MAX_FRAGMENTS = 1_000_000;

interface ElementHeader {
  readonly tag: number;
  readonly vr: string | null;
  readonly length: number;
  readonly valueOffset: number;
}

export interface ReadOptions {
  /** Stop before the first element whose tag is at least this. */
  readonly stopAtTag?: number;
  /** Reject unknown VRs and unordered tags, which a lenient reader accepts. For detecting the syntax. */
  readonly strict?: boolean;
  /** Stop before the first element of another group: the file meta information. */
  readonly onlyGroup?: number;
  /** The bytes are the head of a file of this size: pixel data beyond them may be in the rest of the file. */
  readonly fileBytes?: number;
}

export interface ReadResult {
  readonly dataSet: DataSet;
  /** Just behind the last element read. */
  readonly end: number;
}

const tagAt = ({ view, littleEndian }: ByteSource, at: number): number =>
  view.getUint16(at, littleEndian) * 0x10000 + view.getUint16(at + 2, littleEndian);

const isDelimiter = (tag: number) => tag === tags.itemDelimiter || tag === tags.sequenceDelimiter;

/** DICOM PS3.5 7.1.2 and 7.1.3. */
const readHeader = (source: ByteSource, at: number, end: number, strict: boolean): ElementHeader => {
  const { view, littleEndian, bytes } = source;
  if (at + 8 > end) throw new DicomProblem('truncated', `the file ends inside the header of an element at byte ${at}`);
  const tag = tagAt(source, at);
  const implicit = (): ElementHeader => ({
    tag,
    vr: null,
    length: view.getUint32(at + 4, littleEndian),
    valueOffset: at + 8,
  });
  if (!source.explicitVr || tag >>> 16 === 0xfffe) return implicit();
  const vr = String.fromCharCode(bytes[at + 4] ?? 0, bytes[at + 5] ?? 0);
  if (strict && !longVrs.has(vr) && !shortVrs.has(vr)) {
    throw new DicomProblem('malformed', `${tagText(tag)} has no known value representation`);
  }
  if (longVrs.has(vr)) {
    if (at + 12 > end) throw new DicomProblem('truncated', `the file ends inside the header of ${tagText(tag)}`);
    return { tag, vr, length: view.getUint32(at + 8, littleEndian), valueOffset: at + 12 };
  }
  // Some writers put elements without a VR into explicit data sets; others leave it blank, which DCMTK reads like a short VR.
  if (!/^[A-Z?]{2}$/.test(vr) && vr !== blankVr) return implicit();
  const known = vr === blankVr ? null : vr;
  return { tag, vr: known, length: view.getUint16(at + 6, littleEndian), valueOffset: at + 8 };
};

const implicitLittleEndian = (source: ByteSource): ByteSource => ({ ...source, explicitVr: false, littleEndian: true });

/** UN of undefined length holds implicit VR little endian (PS3.5 6.2.2, note on UN). */
const sourceInside = (source: ByteSource, vr: string | null): ByteSource =>
  vr === 'UN' ? implicitLittleEndian(source) : source;

/** Skips the items of a sequence from `at`; returns the offset after it. */
const walkItems = (
  source: ByteSource,
  at: number,
  end: number,
  untilDelimiter: boolean,
  depth: number,
  take: (start: number, stop: number) => void,
): number => {
  if (depth > MAX_DEPTH) throw new DicomProblem('malformed', `sequences are nested deeper than ${MAX_DEPTH}`);
  let offset = at;
  while (offset < end) {
    if (offset + 8 > end) {
      if (untilDelimiter) throw new DicomProblem('truncated', `the file ends inside a sequence at byte ${offset}`);
      return end;
    }
    const { tag, length, valueOffset } = readHeader(source, offset, end, false);
    if (tag === tags.sequenceDelimiter) return valueOffset;
    if (tag !== tags.item)
      throw new DicomProblem('malformed', `a sequence holds ${tagText(tag)} where an item should be`);
    if (length === UNDEFINED_LENGTH) {
      const stop = skipElements(source, valueOffset, end, depth + 1);
      take(valueOffset, stop.valueEnd);
      offset = stop.end;
    } else {
      if (valueOffset + length > end) {
        throw new DicomProblem('truncated', `a sequence item claims ${length} bytes, ${end - valueOffset} are there`);
      }
      take(valueOffset, valueOffset + length);
      offset = valueOffset + length;
    }
  }
  if (untilDelimiter) throw new DicomProblem('truncated', 'the file ends inside a sequence of undefined length');
  return offset;
};

/** Finds the item delimiter of an item of undefined length. */
const skipElements = (
  source: ByteSource,
  at: number,
  end: number,
  depth: number,
): { valueEnd: number; end: number } => {
  let offset = at;
  while (offset + 8 <= end) {
    const header = readHeader(source, offset, end, false);
    if (header.tag === tags.itemDelimiter) return { valueEnd: offset, end: header.valueOffset };
    // Missing item delimiter: the end of the sequence ends the item.
    if (header.tag === tags.sequenceDelimiter) return { valueEnd: offset, end: offset };
    offset = endOfValue(source, header, end, depth);
  }
  throw new DicomProblem('truncated', 'the file ends inside a sequence item of undefined length');
};

const endOfValue = (source: ByteSource, header: ElementHeader, end: number, depth: number): number => {
  if (header.length === UNDEFINED_LENGTH) {
    return walkItems(sourceInside(source, header.vr), header.valueOffset, end, true, depth, () => {});
  }
  if (header.valueOffset + header.length > end) {
    throw new DicomProblem(
      'truncated',
      `${tagText(header.tag)} claims ${header.length} bytes, ${end - header.valueOffset} are there`,
    );
  }
  return header.valueOffset + header.length;
};

const readFragments = (
  source: ByteSource,
  header: ElementHeader,
  end: number,
): { element: DicomElement; end: number } => {
  const fragments: { offset: number; length: number }[] = [];
  let offset = header.valueOffset;
  let complete = false;
  while (offset + 8 <= end) {
    const { tag, length, valueOffset } = readHeader(source, offset, end, false);
    if (tag === tags.sequenceDelimiter) {
      offset = valueOffset;
      complete = true;
      break;
    }
    if (tag !== tags.item)
      throw new DicomProblem('malformed', `pixel data hold ${tagText(tag)} where a fragment should be`);
    if (fragments.length >= MAX_FRAGMENTS)
      throw new DicomProblem('too-large', 'the pixel data have too many fragments');
    const there = Math.min(length, end - valueOffset);
    fragments.push({ offset: valueOffset, length: there });
    offset = valueOffset + there;
    if (there < length) break;
  }
  const { tag, vr, valueOffset } = header;
  const length = (complete ? offset : end) - valueOffset;
  // An undefined length without delimiter is truncated by an unknown amount; one missing byte marks that.
  const claimedLength = complete ? null : length + 1;
  return { element: { tag, vr, offset: valueOffset, length, claimedLength, fragments }, end: complete ? offset : end };
};

export const isPixelData = (tag: number) =>
  tag === tags.pixelData || tag === tags.floatPixelData || tag === tags.doubleFloatPixelData;

const onlyZeros = (source: ByteSource, from: number, to: number) =>
  source.bytes.subarray(from, to).every((byte) => byte === 0);

/**
 * Reads the elements of a data set between `at` and `end`. Values are not copied, sequences not opened.
 * Truncated pixel data is kept (`claimedLength` has the full length); anything else is 'truncated'.
 * @throws DicomProblem 'malformed' or 'truncated'
 */
export const readElements = (
  source: ByteSource,
  at: number,
  end: number,
  parent: DataSet | null = null,
  depth = 0,
  options: ReadOptions = {},
): ReadResult => {
  const elements = new Map<number, DicomElement>();
  let offset = at;
  let last = -1;
  while (offset < end) {
    const afterPixelData = elements.has(tags.pixelData);
    if (end - offset < 8 && (afterPixelData || onlyZeros(source, offset, end))) break;
    const header = readHeader(source, offset, end, options.strict ?? false);
    const { tag, vr, length, valueOffset } = header;
    if (options.onlyGroup !== undefined && tag >>> 16 !== options.onlyGroup) break;
    if (options.stopAtTag !== undefined && tag >= options.stopAtTag) break;
    if (isDelimiter(tag)) {
      offset = valueOffset;
      continue;
    }
    if (tag === 0 && length === 0 && onlyZeros(source, offset, end)) break;
    if (options.strict && tag <= last) throw new DicomProblem('malformed', `${tagText(tag)} is out of order`);
    last = tag;
    if (elements.size >= MAX_MEMBERS) throw new DicomProblem('too-large', 'a data set has too many elements');
    if (isPixelData(tag) && depth === 0 && length === UNDEFINED_LENGTH) {
      const read = readFragments(source, header, end);
      elements.set(tag, read.element);
      offset = read.end;
    } else if (isPixelData(tag) && depth === 0 && valueOffset + length > end) {
      const there = Math.min(length, Math.max(end, options.fileBytes ?? end) - valueOffset);
      elements.set(tag, { tag, vr, offset: valueOffset, length: there, claimedLength: length, fragments: null });
      offset = end;
    } else {
      let next: number;
      try {
        next = endOfValue(source, header, end, depth);
      } catch (problem) {
        // Trailing garbage after the pixel data is ignored.
        if (afterPixelData) break;
        throw problem;
      }
      const undefinedLength = length === UNDEFINED_LENGTH;
      const claimedLength = undefinedLength ? null : length;
      elements.set(tag, { tag, vr, offset: valueOffset, length: next - valueOffset, claimedLength, fragments: null });
      offset = next;
    }
  }
  const dataSet: DataSet = new DataSet(source, elements, parent, (element, owner, upToFault) =>
    readItems(element, owner, depth + 1, upToFault),
  );
  return { dataSet, end: offset };
};

const readItems = (element: DicomElement, owner: DataSet, depth: number, upToFault: boolean): readonly DataSet[] => {
  const source = sourceInside(owner.source, element.vr);
  const items: DataSet[] = [];
  const end = element.offset + element.length;
  const take = (start: number, stop: number) => {
    if (items.length >= MAX_MEMBERS) throw new DicomProblem('too-large', 'a sequence has too many items');
    items.push(readElements(source, start, stop, owner, depth + 1).dataSet);
  };
  try {
    walkItems(source, element.offset, end, element.claimedLength === null, depth, take);
  } catch (problem) {
    if (!upToFault || !(problem instanceof DicomProblem)) throw problem;
  }
  return items;
};
