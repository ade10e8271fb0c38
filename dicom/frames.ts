import type { DicomElement } from './data-set.ts';
import type { DicomFile } from './file.ts';
import type { ImageDescription } from './image-model.ts';
import { DicomProblem } from './problem.ts';
import { tags } from './tags.ts';
import { type PixelEncoding, pixelEncodingOf } from './transfer-syntax.ts';

type Fragment = NonNullable<DicomElement['fragments']>[number];

const pixelTags = {
  integer: tags.pixelData,
  float32: tags.floatPixelData,
  float64: tags.doubleFloatPixelData,
} as const;

const pixelElementOf = (file: DicomFile, description: ImageDescription): DicomElement => {
  const element = file.dataSet.elements.get(pixelTags[description.sampleKind]);
  if (!element) throw new DicomProblem('no-pixel-data', 'the file was read without its pixel data');
  return element;
};

/** Bits of one uncompressed frame. Chroma of YBR_FULL_422 is stored for every second pixel of a row (PS3.3 C.7.6.3.1.2). */
export const frameBits = (description: ImageDescription): number => {
  const { rows, columns, samplesPerPixel, bitsAllocated, photometricInterpretation } = description;
  const samples = photometricInterpretation === 'YBR_FULL_422' ? 2 : samplesPerPixel;
  return rows * columns * samples * bitsAllocated;
};

/** Values of a big endian file in little endian order: OW swaps pairs even for 8-bit samples (PS3.5 8.1.2). */
export const swapped = (bytes: Uint8Array, from: number, length: number, unit: number): Uint8Array => {
  const out = new Uint8Array(length);
  for (let index = 0; index < length; index++) out[index] = bytes[(from + index) ^ (unit - 1)] ?? 0;
  return out;
};

/** 1-bit frames follow each other without padding (PS3.5 8.1.1), so that a frame may begin inside a byte. */
export const bitsFrom = (bytes: Uint8Array, bitOffset: number, bits: number): Uint8Array => {
  const first = Math.floor(bitOffset / 8);
  const shift = bitOffset % 8;
  const length = Math.ceil(bits / 8);
  if (shift === 0) return bytes.subarray(first, first + length);
  const out = new Uint8Array(length);
  for (let index = 0; index < length; index++) {
    out[index] = ((bytes[first + index] ?? 0) >> shift) | ((bytes[first + index + 1] ?? 0) << (8 - shift));
  }
  return out;
};

const checkNativeFrame = (description: ImageDescription, element: DicomElement, frame: number): void => {
  const endBits = (frame + 1) * frameBits(description);
  if (endBits <= element.length * 8) return;
  throw new DicomProblem(
    'pixel-data-short',
    `frame ${frame + 1} needs ${Math.ceil(endBits / 8)} bytes of pixel data, ${element.length} are there`,
  );
};

const nativeFrame = (
  file: DicomFile,
  description: ImageDescription,
  element: DicomElement,
  frame: number,
): Uint8Array => {
  checkNativeFrame(description, element, frame);
  const bits = frameBits(description);
  const startBits = frame * bits;
  const { bytes, littleEndian } = file.dataSet.source;
  const value = bytes.subarray(element.offset, element.offset + element.length);
  if (littleEndian) return bitsFrom(value, startBits, bits);
  const unit = description.bitsAllocated > 8 ? description.bitsAllocated / 8 : element.vr === 'OW' ? 2 : 1;
  if (description.bitsAllocated === 1) return bitsFrom(swapped(value, 0, value.length, unit), startBits, bits);
  return swapped(value, startBits / 8, bits / 8, unit);
};

const concat = (bytes: Uint8Array, fragments: readonly Fragment[]): Uint8Array => {
  const [only] = fragments;
  if (only && fragments.length === 1) return bytes.subarray(only.offset, only.offset + only.length);
  const out = new Uint8Array(fragments.reduce((sum, { length }) => sum + length, 0));
  let written = 0;
  for (const { offset, length } of fragments) {
    out.set(bytes.subarray(offset, offset + length), written);
    written += length;
  }
  return out;
};

/** Splits the fragments at the offsets (from the first item after the Basic Offset Table); null for invalid offsets. */
const cutAtOffsets = (fragments: readonly Fragment[], offsets: readonly number[]): Fragment[][] | null => {
  const base = (fragments[0]?.offset ?? 0) - 8;
  const places = new Map(fragments.map((fragment, index) => [fragment.offset - 8 - base, index]));
  const starts = offsets.map((offset) => places.get(offset) ?? -1);
  if (starts[0] !== 0 || starts.some((start, index) => start <= (starts[index - 1] ?? -1))) return null;
  return starts.map((start, index) => fragments.slice(start, starts[index + 1] ?? fragments.length));
};

/** Returns the offsets; empty when the table does not have `count` entries. */
const basicOffsets = (file: DicomFile, table: Fragment | undefined, count: number): number[] => {
  const { view } = file.dataSet.source;
  if (!table || Math.floor(table.length / 4) !== count) return [];
  return Array.from({ length: count }, (_, index) => view.getUint32(table.offset + index * 4, true));
};

/** Extended Offset Table (PS3.3 C.7.6.3.1.8): 64-bit offsets. Empty when it does not have `count` entries. */
const extendedOffsets = (file: DicomFile, count: number): number[] => {
  const element = file.dataSet.elements.get(tags.extendedOffsetTable);
  const { view } = file.dataSet.source;
  if (!element || Math.floor(element.length / 8) !== count) return [];
  return Array.from({ length: count }, (_, index) => Number(view.getBigUint64(element.offset + index * 8, true)));
};

/** Without a table, a frame starts with the marker of a codestream: JPEG family SOI, or JPEG 2000 SOC. */
const cutAtCodestreams = (bytes: Uint8Array, fragments: readonly Fragment[]): Fragment[][] => {
  const groups: Fragment[][] = [];
  for (const fragment of fragments) {
    const [first, second] = bytes.subarray(fragment.offset, fragment.offset + 2);
    const starts = first === 0xff && (second === 0xd8 || second === 0x4f);
    const current = groups.at(-1);
    if (starts || !current) groups.push([fragment]);
    else current.push(fragment);
  }
  return groups;
};

/** Encodings without a start marker, whose frames are one fragment each. */
const fragmentPerFrame: readonly PixelEncoding[] = ['rle', 'deflated', 'jpeg-xl'];

const cutIntoFrames = (file: DicomFile, description: ImageDescription, element: DicomElement): Fragment[][] => {
  const [table, ...all] = element.fragments ?? [];
  const fragments = all.filter(({ length }) => length > 0);
  const { numberOfFrames } = description;
  if (numberOfFrames === 1) return fragments.length > 0 ? [fragments] : [];
  if (numberOfFrames <= fragments.length) {
    for (const offsets of [extendedOffsets(file, numberOfFrames), basicOffsets(file, table, numberOfFrames)]) {
      const cut = offsets.length > 0 ? cutAtOffsets(fragments, offsets) : null;
      if (cut) return cut;
    }
  }
  if (fragments.length === numberOfFrames) return fragments.map((fragment) => [fragment]);
  return fragmentPerFrame.includes(pixelEncodingOf(description.transferSyntaxUid))
    ? fragments.map((fragment) => [fragment])
    : cutAtCodestreams(file.dataSet.source.bytes, fragments);
};

/**
 * The whole stream of a video, whose fragments have no meaning of their own (PS3.5 8.2.7); the first item is the offset table.
 * @throws DicomProblem 'no-pixel-data'
 */
export const encodedStream = ({ dataSet }: DicomFile): Uint8Array => {
  const element = dataSet.elements.get(tags.pixelData);
  if (!element) throw new DicomProblem('no-pixel-data', 'the file has no pixel data');
  return concat(dataSet.source.bytes, element.fragments?.slice(1) ?? []);
};

const known = new WeakMap<DicomElement, Fragment[][]>();

const fragmentsByFrame = (file: DicomFile, description: ImageDescription, element: DicomElement): Fragment[][] => {
  const frames = known.get(element) ?? cutIntoFrames(file, description, element);
  known.set(element, frames);
  return frames;
};

/**
 * The bytes of one frame as stored: little endian samples for native data, else one complete codestream.
 * @param frame counted from 0
 * @throws DicomProblem 'no-such-frame', 'pixel-data-short', 'no-pixel-data'
 */
export const encodedFrame = (file: DicomFile, description: ImageDescription, frame: number): Uint8Array => {
  if (!Number.isInteger(frame) || frame < 0 || frame >= description.numberOfFrames) {
    throw new DicomProblem(
      'no-such-frame',
      `there is no frame ${frame + 1}, the object has ${description.numberOfFrames}`,
    );
  }
  const element = pixelElementOf(file, description);
  if (!element.fragments) return nativeFrame(file, description, element, frame);
  const fragments = fragmentsByFrame(file, description, element)[frame];
  if (!fragments) throw new DicomProblem('pixel-data-short', `the pixel data hold no fragment for frame ${frame + 1}`);
  return concat(file.dataSet.source.bytes, fragments);
};

/**
 * Checks that the pixel data is not truncated.
 * @throws DicomProblem 'pixel-data-short'
 */
export const checkComplete = ({ dataSet }: DicomFile): void => {
  for (const tag of Object.values(pixelTags)) {
    const element = dataSet.elements.get(tag);
    if (!element || element.claimedLength === null || element.claimedLength <= element.length) continue;
    const detail = element.fragments
      ? 'the encapsulated pixel data end without their delimiter'
      : `the pixel data claim ${element.claimedLength} bytes, ${element.length} are there`;
    throw new DicomProblem('pixel-data-short', detail);
  }
};

/**
 * Checks that there is pixel data for every frame, without decoding; for native data only the length. Skips unsupported transfer syntaxes.
 * @throws DicomProblem 'pixel-data-short'
 */
export const checkFrames = (file: DicomFile, description: ImageDescription): void => {
  const element = pixelElementOf(file, description);
  if (!element.fragments) {
    checkNativeFrame(description, element, description.numberOfFrames - 1);
    return;
  }
  // The frames of a video are not those of its fragments.
  if (pixelEncodingOf(description.transferSyntaxUid) === 'unsupported') return;
  const frames = fragmentsByFrame(file, description, element).length;
  if (frames < description.numberOfFrames) {
    throw new DicomProblem(
      'pixel-data-short',
      `${description.numberOfFrames} frames are announced, ${frames} are there`,
    );
  }
};
