import type { DataSet } from './data-set.ts';
import type { LookupTable, Palette } from './image-model.ts';
import { DicomProblem } from './problem.ts';
import { expandSegments } from './segmented-palette.ts';
import { tags } from './tags.ts';

interface Descriptor {
  readonly entries: number;
  readonly firstInput: number;
  readonly bits: number;
}

/** LUT descriptors (PS3.3 C.11.1.1.1): 0 entries means 65536; the first input value is signed when the inputs are. */
const descriptorOf = (dataSet: DataSet, tag: number, signed: boolean): Descriptor | null => {
  const words = dataSet.words(tag);
  if (words.length < 3) return null;
  const [entries = 0, first = 0, bits = 0] = words;
  return { entries: entries || 0x10000, firstInput: signed && first > 0x7fff ? first - 0x10000 : first, bits };
};

/** Entries as 16-bit values, whether stored as words or packed as bytes. */
const entriesOf = (dataSet: DataSet, tag: number, count: number): Uint16Array => {
  const bytes = dataSet.bytes(tag);
  if (!bytes) return new Uint16Array(0);
  return bytes.length < count * 2 ? Uint16Array.from(bytes.subarray(0, count)) : dataSet.words(tag).subarray(0, count);
};

const bitsFor = (values: Uint16Array): number =>
  Math.max(1, 32 - Math.clz32(values.reduce((a, b) => Math.max(a, b), 0)));

/**
 * Reads one item of a Modality or VOI LUT Sequence; null without a usable table.
 * @param signedInput whether the values that enter the table can be negative
 */
export const readLookupTable = (item: DataSet, signedInput: boolean): LookupTable | null => {
  const descriptor = descriptorOf(item, tags.lutDescriptor, signedInput);
  if (!descriptor) return null;
  const values = entriesOf(item, tags.lutData, descriptor.entries);
  if (values.length === 0) return null;
  const bits = Math.min(16, Math.max(descriptor.bits || 16, bitsFor(values)));
  return { firstInput: descriptor.firstInput, values, bits, explanation: item.text(tags.lutExplanation) };
};

const colours = [
  [tags.redPaletteDescriptor, tags.redPaletteData, tags.segmentedRedPaletteData],
  [tags.greenPaletteDescriptor, tags.greenPaletteData, tags.segmentedGreenPaletteData],
  [tags.bluePaletteDescriptor, tags.bluePaletteData, tags.segmentedBluePaletteData],
] as const;

/** Entries of one colour at full bit depth. */
const colourEntries = (dataSet: DataSet, descriptor: Descriptor, data: number, segmented: number): Uint16Array => {
  if (dataSet.has(data)) return entriesOf(dataSet, data, descriptor.entries);
  const packed = descriptor.bits <= 8 ? dataSet.bytes(segmented) : dataSet.words(segmented);
  return packed ? expandSegments(packed, descriptor.entries) : new Uint16Array(0);
};

/**
 * The palette of a PALETTE COLOR image (PS3.3 C.7.6.3.1.5, C.7.6.3.1.6, segmented C.7.9.2).
 * @throws DicomProblem 'malformed' when a table is missing
 */
export const readPalette = (dataSet: DataSet, signedInput: boolean): Palette => {
  const tables = colours.map(([descriptorTag, data, segmented]) => {
    const descriptor = descriptorOf(dataSet, descriptorTag, signedInput);
    const values = descriptor ? colourEntries(dataSet, descriptor, data, segmented) : new Uint16Array(0);
    if (!descriptor || values.length === 0) throw new DicomProblem('malformed', 'the palette of the image is missing');
    return { firstInput: descriptor.firstInput, values, bits: descriptor.bits };
  });
  // Some writers declare 16 bits and store 8.
  const eightBits = tables.every(({ values, bits }) => bits <= 8 || bitsFor(values) <= 8);
  const [red, green, blue] = tables.map(({ values }) =>
    Uint8Array.from(values, (value) => (eightBits ? value : value >> 8)),
  );
  const none = new Uint8Array(0);
  return { firstInput: tables[0]?.firstInput ?? 0, red: red ?? none, green: green ?? none, blue: blue ?? none };
};
