/**
 * What a presentation state says of one image. Same shape as in the contract, so that it can be sent as it is. Points are in image pixels:
 * 0, 0 is the top left corner of the first pixel.
 */
export type StatePoint = [x: number, y: number];

/** Frames, from 1, that a part of a state is for; null: all. */
export type Frames = number[] | null;

export interface StateTable {
  /** As written: signed or not depends on the image. */
  firstInput: number;
  values: number[];
  bits: number;
}

export interface StateWindow {
  kind: 'window';
  centre: number;
  width: number;
  function: 'LINEAR' | 'LINEAR_EXACT' | 'SIGMOID';
}

export interface StateLut {
  kind: 'lut';
  lut: StateTable;
}

/** Stored value to display value (PS3.4 N.2), in place of what the image says. */
export interface StateGrey {
  modality: { kind: 'rescale'; slope: number; intercept: number } | StateLut;
  /** The first one of a frame applies; without one, all modality values from black to white. */
  vois: { frames: Frames; voi: StateWindow | StateLut }[];
  presentationLut: StateTable | null;
  inverted: boolean;
}

export type StateShutter =
  | { shape: 'rectangle'; from: StatePoint; to: StatePoint }
  | { shape: 'circle'; centre: StatePoint; radius: number }
  | { shape: 'polygon'; points: StatePoint[] };

/** A bitmap whose marked pixels are covered, cut to these. */
export interface StateBitmap {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Lengths of alternating runs of pixels, row by row, the first of those that are not covered. */
  runs: number[];
}

export interface StateGraphic {
  kind: 'point' | 'polyline' | 'curve' | 'circle' | 'ellipse';
  points: StatePoint[];
  filled: boolean;
}

export interface StateText {
  text: string;
  box: [StatePoint, StatePoint] | null;
  align: 'left' | 'center' | 'right';
  anchor: StatePoint | null;
  isAnchored: boolean;
}

export interface StateAnnotation {
  frames: Frames;
  /** `#rrggbb`; null: none is recommended. */
  colour: string | null;
  graphics: StateGraphic[];
  texts: StateText[];
}

/** Size of an image in image pixels. */
export interface ImageSize {
  readonly columns: number;
  readonly rows: number;
}

/** The part of the image that fills the screen, or is shown at a size of its own. */
export interface StateArea {
  frames: Frames;
  from: StatePoint;
  to: StatePoint;
  /** Device pixels per image pixel; null: as large as the screen allows. */
  magnification: number | null;
  /** Millimetres on the screen equal those of the object. */
  isTrueSize: boolean;
}

/** What of a state is not shown. */
export type NotShownPart =
  | 'bitmap-shutter'
  | 'overlay'
  | 'mask'
  | 'displayed-area'
  | 'annotations'
  | 'transform'
  | 'colour-profile';

export interface StateOfImage {
  label: string | null;
  description: string | null;
  /** Person name (PS3.5 6.2). */
  creator: string | null;
  createdAt: string | null;
  frames: Frames;
  /** Degrees clockwise, after the flip. */
  rotation: number;
  horizontalFlip: boolean;
  /** The first one of a frame applies; without one the whole image is shown. */
  areas: StateArea[];
  /** Null in a colour state. */
  grey: StateGrey | null;
  shutters: StateShutter[];
  bitmapShutter: StateBitmap | null;
  shutterColour: string;
  /** Those of the lowest layer first. */
  annotations: StateAnnotation[];
  notShown: NotShownPart[];
}
