import { colourStateClass, grayscaleStateClass } from '../../dicom/presentation-state/read-state.ts';
import { bytesOf, element, item, part10, us, words } from './build-dicom.ts';

/** Values that FL, SL and IS elements hold. */
const floats = (values: readonly number[]) => new Uint8Array(Float32Array.from(values).buffer);
const longs = (values: readonly number[]) => new Uint8Array(Int32Array.from(values).buffer);

export const sequence = (tag: number, items: readonly Uint8Array[]) =>
  element(tag, 'SQ', bytesOf(...items.map((one) => item(one))));

/** A Referenced Image Sequence. */
export const references = (uid: string, frames?: readonly number[]) =>
  sequence(0x00081140, [
    bytesOf(
      element(0x00081150, 'UI', '1.2.840.10008.5.1.4.1.1.1.1'),
      element(0x00081155, 'UI', uid),
      frames ? element(0x00081160, 'IS', frames.join('\\')) : [],
    ),
  ]);

export interface Graphic {
  readonly type: string;
  readonly points: readonly number[];
  readonly units?: string;
  readonly filled?: boolean;
}

export const graphicItem = ({ type, points, units = 'PIXEL', filled = false }: Graphic) =>
  bytesOf(
    element(0x00700005, 'CS', units),
    us(0x00700020, 2),
    us(0x00700021, points.length / 2),
    element(0x00700022, 'FL', floats(points)),
    element(0x00700023, 'CS', type),
    element(0x00700024, 'CS', filled ? 'Y' : 'N'),
  );

export interface Text {
  readonly text: string;
  readonly box?: readonly [number, number, number, number];
  readonly boxUnits?: string;
  readonly align?: string;
  readonly anchor?: readonly [number, number];
  readonly anchored?: boolean;
}

export const textItem = ({ text, box, boxUnits = 'PIXEL', align, anchor, anchored }: Text) =>
  bytesOf(
    box ? element(0x00700003, 'CS', boxUnits) : [],
    anchor ? element(0x00700004, 'CS', 'PIXEL') : [],
    element(0x00700006, 'ST', text),
    box ? element(0x00700010, 'FL', floats(box.slice(0, 2))) : [],
    box ? element(0x00700011, 'FL', floats(box.slice(2))) : [],
    align ? element(0x00700012, 'CS', align) : [],
    anchor ? element(0x00700014, 'FL', floats(anchor)) : [],
    anchor ? element(0x00700015, 'CS', anchored ? 'Y' : 'N') : [],
  );

/** An item of the Graphic Annotation Sequence. */
export const annotationItem = (
  layer: string,
  graphics: readonly Graphic[],
  texts: readonly Text[] = [],
  before: Uint8Array = new Uint8Array(0),
) =>
  bytesOf(
    before,
    element(0x00700002, 'CS', layer),
    texts.length > 0 ? sequence(0x00700008, texts.map(textItem)) : [],
    graphics.length > 0 ? sequence(0x00700009, graphics.map(graphicItem)) : [],
  );

export const layerItem = (name: string, order: number, more: Uint8Array = new Uint8Array(0)) =>
  bytesOf(element(0x00700002, 'CS', name), element(0x00700062, 'IS', String(order)), more);

/** A lookup table: descriptor and data. */
export const tableItem = (first: number, values: readonly number[], bits: number) =>
  bytesOf(us(0x00283002, [values.length, first, bits]), element(0x00283006, 'OW', words(values)));

export interface State {
  readonly sopInstanceUid?: string;
  readonly studyUid?: string;
  readonly patient?: Uint8Array;
  readonly colour?: boolean;
  readonly images?: readonly (readonly [uid: string, frames?: readonly number[]])[];
  readonly label?: string;
  readonly description?: string;
  /** YYYYMMDD */
  readonly createdOn?: string;
  /** Elements in order of their tags: groups 0018, 0028. */
  readonly shutter?: Uint8Array;
  readonly grey?: Uint8Array;
  readonly annotations?: readonly Uint8Array[];
  readonly rotation?: number;
  readonly flip?: boolean;
  /** Corners of the displayed area, from 1. */
  readonly area?: readonly [number, number, number, number];
  readonly sizeMode?: string;
  readonly magnification?: number;
  readonly layers?: readonly Uint8Array[];
  readonly shape?: string | null;
  readonly presentationLut?: Uint8Array;
  /** Elements after all others. */
  readonly overlays?: Uint8Array;
}

/** Marked pixels of a bitmap, "x" each, from a row and column of the image on, from 1. */
export interface Bitmap {
  readonly group?: number;
  readonly origin?: readonly [row: number, column: number];
  readonly rows: readonly string[];
}

/** The elements of an overlay group (60xx). */
export const overlayElements = ({ group = 0x6000, origin = [1, 1], rows }: Bitmap) => {
  const tag = (number: number) => ((group << 16) | number) >>> 0;
  const pixels = rows.join('');
  const data = new Uint8Array(Math.ceil(pixels.length / 16) * 2);
  for (const [at, letter] of [...pixels].entries())
    if (letter === 'x') data[at >> 3] = (data[at >> 3] ?? 0) | (1 << (at & 7));
  return bytesOf(
    us(tag(0x10), rows.length),
    us(tag(0x11), rows[0]?.length ?? 0),
    element(tag(0x40), 'CS', 'G'),
    element(tag(0x50), 'SS', words(origin)),
    us(tag(0x100), 1),
    us(tag(0x102), 0),
    element(tag(0x3000), 'OW', data),
  );
};

/** The elements of a bitmap display shutter; `overlayElements` follow at the end of the state. */
export const bitmapShutter = (group = 0x6000) =>
  bytesOf(element(0x00181600, 'CS', 'BITMAP'), us(0x00181622, 0x8080), us(0x00181623, group));

/** The bytes of a presentation state. */
export const stateFile = (state: State = {}): Uint8Array => {
  const sopClass = state.colour ? colourStateClass : grayscaleStateClass;
  const images = state.images ?? [['2.25.1001']];
  const { area = [1, 1, 8, 6] } = state;
  return part10(
    bytesOf(
      element(0x00080005, 'CS', 'ISO_IR 192'),
      element(0x00080016, 'UI', sopClass),
      element(0x00080018, 'UI', state.sopInstanceUid ?? '2.25.9001'),
      element(0x00080060, 'CS', 'PR'),
      sequence(0x00081115, [
        bytesOf(
          sequence(
            0x00081140,
            images.map(([uid, frames]) =>
              bytesOf(element(0x00081155, 'UI', uid), frames ? element(0x00081160, 'IS', frames.join('\\')) : []),
            ),
          ),
          element(0x0020000e, 'UI', '2.25.1003'),
        ),
      ]),
      state.patient ?? [],
      state.shutter ?? [],
      element(0x0020000d, 'UI', state.studyUid ?? '2.25.1002'),
      element(0x0020000e, 'UI', '2.25.9000'),
      state.grey ?? [],
      state.annotations ? sequence(0x00700001, state.annotations) : [],
      state.flip === undefined ? [] : element(0x00700041, 'CS', state.flip ? 'Y' : 'N'),
      state.rotation === undefined ? [] : us(0x00700042, state.rotation),
      sequence(0x0070005a, [
        bytesOf(
          element(0x00700052, 'SL', longs(area.slice(0, 2))),
          element(0x00700053, 'SL', longs(area.slice(2))),
          element(0x00700100, 'CS', state.sizeMode ?? 'SCALE TO FIT'),
          state.magnification === undefined ? [] : element(0x00700103, 'FL', floats([state.magnification])),
        ),
      ]),
      state.layers ? sequence(0x00700060, state.layers) : [],
      element(0x00700080, 'CS', state.label ?? 'SECOND OPINION'),
      element(0x00700081, 'LO', state.description ?? ''),
      element(0x00700082, 'DA', state.createdOn ?? '20260314'),
      element(0x00700083, 'TM', '101500'),
      element(0x00700084, 'PN', new TextEncoder().encode('Ek^Åsa')),
      state.presentationLut ? sequence(0x20500010, [state.presentationLut]) : [],
      state.shape === null ? [] : element(0x20500020, 'CS', state.shape ?? 'IDENTITY'),
      state.overlays ?? [],
    ),
    undefined,
    sopClass,
  );
};
