import { isBitSet } from './bits.ts';
import type { DataSet, DicomElement } from './data-set.ts';
import type { DicomFile } from './file.ts';
import { bitsFrom, swapped } from './frames.ts';
import type { ImageDescription } from './image-model.ts';
import { pixelEncodingOf } from './transfer-syntax.ts';

/**
 * One overlay plane of a frame (PS3.3 C.9.2), cut to the pixels of the image that it marks. In image pixels; 0, 0 is the first one.
 */
export interface OverlayPlane {
  readonly kind: 'graphics' | 'roi';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** `width * height` bits, row by row without padding, the first pixel in the least significant bit. */
  readonly bits: Uint8Array;
}

export interface OverlayPlanes {
  /** Those that mark anything. */
  readonly planes: readonly OverlayPlane[];
  /** Number of planes that are damaged, or of which a marked part is outside the image. */
  readonly incomplete: number;
}

export const noOverlayPlanes: OverlayPlanes = { planes: [], incomplete: 0 };

const firstGroup = 0x6000;
const lastGroup = 0x601e;

/** Elements of an overlay group. */
const elements = {
  rows: 0x0010,
  columns: 0x0011,
  frames: 0x0015,
  type: 0x0040,
  origin: 0x0050,
  frameOrigin: 0x0051,
  bitsAllocated: 0x0100,
  bitPosition: 0x0102,
  data: 0x3000,
} as const;

/** Bit indices are 32-bit integers. */
const maxPixels = 2 ** 31 - 1;

/** The bits of a plane; `left` and `top` are those of its first pixel in the image. */
interface Bitmap {
  readonly left: number;
  readonly top: number;
  readonly columns: number;
  readonly rows: number;
  readonly isSet: (index: number) => boolean;
}

/** Cuts a bitmap to the marked part inside the image; null when it marks nothing there. */
const cut = (bitmap: Bitmap, image: Pick<ImageDescription, 'columns' | 'rows'>) => {
  const { left, top, columns, rows, isSet } = bitmap;
  let isWhole = true;
  let [x, y, right, bottom] = [image.columns, image.rows, -1, -1];
  for (let row = 0, index = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, index++) {
      if (!isSet(index)) continue;
      const [atX, atY] = [left + column, top + row];
      if (atX < 0 || atY < 0 || atX >= image.columns || atY >= image.rows) isWhole = false;
      else {
        if (atX < x) x = atX;
        if (atX > right) right = atX;
        if (atY < y) y = atY;
        if (atY > bottom) bottom = atY;
      }
    }
  }
  if (right < 0) return { part: null, isWhole };
  const [width, height] = [right + 1 - x, bottom + 1 - y];
  const bits = new Uint8Array(Math.ceil((width * height) / 8));
  for (let row = 0, target = 0; row < height; row++) {
    let index = (y + row - top) * columns + x - left;
    for (let column = 0; column < width; column++, index++, target++) {
      if (isSet(index)) bits[target >> 3] = (bits[target >> 3] ?? 0) | (1 << (target & 7));
    }
  }
  return { part: { x, y, width, height, bits }, isWhole };
};

type Attributes = ReturnType<typeof attributesOf>;

/** The attributes of an overlay group; null when the group holds no plane. */
const attributesOf = (dataSet: DataSet, group: number) => {
  const tag = (element: number) => (group << 16) | element;
  const data: DicomElement | undefined = dataSet.elements.get(tag(elements.data));
  if (!data && !dataSet.has(tag(elements.rows))) return null;
  const [top = 1, left = 1] = dataSet.numbers(tag(elements.origin), 'SS');
  return {
    data,
    kind: dataSet.code(tag(elements.type)) === 'R' ? ('roi' as const) : ('graphics' as const),
    rows: dataSet.number(tag(elements.rows), 'US') ?? 0,
    columns: dataSet.number(tag(elements.columns), 'US') ?? 0,
    top: top - 1,
    left: left - 1,
    frames: Math.max(1, dataSet.number(tag(elements.frames), 'IS') ?? 1),
    frameOrigin: dataSet.number(tag(elements.frameOrigin), 'US'),
    bitsAllocated: dataSet.number(tag(elements.bitsAllocated), 'US') ?? 1,
    bitPosition: dataSet.number(tag(elements.bitPosition), 'US'),
  };
};

/**
 * The frame of the overlay (from 0) that belongs to a frame of the image; null when none does. A single one without Image Frame Origin
 * belongs to every frame.
 */
const overlayFrame = ({ frames, frameOrigin }: NonNullable<Attributes>, frame: number): number | null => {
  if (frames === 1 && frameOrigin === null) return 0;
  const own = frame - (Math.max(1, frameOrigin ?? 1) - 1);
  return own >= 0 && own < frames ? own : null;
};

/** The bits of Overlay Data (60xx,3000); null when they are too few. */
const separateBits = (
  dataSet: DataSet,
  attributes: NonNullable<Attributes>,
  data: DicomElement,
  frame: number,
): Bitmap | null => {
  const { rows, columns, bitsAllocated } = attributes;
  const bits = rows * columns;
  if (bitsAllocated !== 1 || bits === 0 || bits > maxPixels || (frame + 1) * bits > data.length * 8) return null;
  const { bytes, littleEndian } = dataSet.source;
  const value =
    littleEndian || data.vr !== 'OW'
      ? bytes.subarray(data.offset, data.offset + data.length)
      : swapped(bytes, data.offset, data.length, 2);
  const own = bitsFrom(value, frame * bits, bits);
  return { ...attributes, isSet: (index) => isBitSet(own, index) };
};

/** Bits of the pixel cells outside Bits Stored (retired), as a bitmap of the whole image; null where they cannot be such. */
const embeddedBits = (
  description: ImageDescription,
  { rows, columns, left, top, bitPosition }: NonNullable<Attributes>,
  pixels: Uint8Array,
): Bitmap | null => {
  const { bitsAllocated, bitsStored, highBit, samplesPerPixel, transferSyntaxUid } = description;
  const isNative = pixelEncodingOf(transferSyntaxUid) === 'native' && description.sampleKind === 'integer';
  if (!isNative || samplesPerPixel !== 1 || bitsAllocated === 1 || bitPosition === null) return null;
  const isGreyValue = bitPosition <= highBit && bitPosition > highBit - bitsStored;
  if (isGreyValue || bitPosition >= bitsAllocated || rows * columns === 0) return null;
  const cellBytes = bitsAllocated / 8;
  const byte = bitPosition >> 3;
  const mask = 1 << (bitPosition & 7);
  // Claimed rows and columns may be any number: the loop is over the image.
  const isSet = (index: number) => {
    const x = index % description.columns;
    const y = Math.floor(index / description.columns);
    if (x < left || y < top || x >= left + columns || y >= top + rows) return false;
    return ((pixels[index * cellBytes + byte] ?? 0) & mask) !== 0;
  };
  return { left: 0, top: 0, rows: description.rows, columns: description.columns, isSet };
};

/**
 * Returns the overlay planes of one frame. Damaged ones are counted and left out; the pixels are never changed.
 * @param frame from 0
 * @param pixels the bytes of the frame as `encodedFrame` returns them
 */
export const overlayPlanesOf = (
  file: DicomFile,
  description: ImageDescription,
  frame: number,
  pixels: Uint8Array,
): OverlayPlanes => {
  const planes: OverlayPlane[] = [];
  let incomplete = 0;
  for (let group = firstGroup; group <= lastGroup; group += 2) {
    const attributes = attributesOf(file.dataSet, group);
    const { data } = attributes ?? {};
    const own = attributes && (data ? overlayFrame(attributes, frame) : 0);
    if (!attributes || own === null) continue;
    const bitmap = data
      ? separateBits(file.dataSet, attributes, data, own)
      : embeddedBits(description, attributes, pixels);
    const found = bitmap && cut(bitmap, description);
    if (found?.part) planes.push({ kind: attributes.kind, ...found.part });
    if (!found?.isWhole) incomplete++;
  }
  return { planes, incomplete };
};

/**
 * Returns what a plane marks in an image of this size (`part` null: nothing); null when the group holds no single plane of at most `maxPixels`,
 * or it is damaged.
 */
export const separatePlane = (
  dataSet: DataSet,
  group: number,
  image: Pick<ImageDescription, 'columns' | 'rows'>,
  maxPixels: number,
): { readonly part: OverlayPlane | null } | null => {
  const isGroup = group >= firstGroup && group <= lastGroup && group % 2 === 0;
  const attributes = isGroup ? attributesOf(dataSet, group) : null;
  if (!attributes?.data || attributes.frames > 1 || attributes.rows * attributes.columns > maxPixels) return null;
  const bitmap = separateBits(dataSet, attributes, attributes.data, 0);
  const part = bitmap && cut(bitmap, image).part;
  return bitmap && { part: part && { kind: attributes.kind, ...part } };
};
