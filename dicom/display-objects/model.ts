import type { Modality, Voi } from '../image-model.ts';
import type { StateGraphic, StatePoint } from '../presentation-state/model.ts';

/** Basic Structured Display Storage. */
export const structuredDisplayClass = '1.2.840.10008.5.1.4.1.1.131';

/** An object and the object that refers to it. */
export interface ObjectReference {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
}

export interface ImageReference extends ObjectReference {
  readonly studyUid: string;
  readonly seriesUid: string;
}

/** Graphics and texts of one frame. */
export interface FrameMarks {
  /** From 1. */
  readonly frame: number;
  readonly graphics: readonly Pick<StateGraphic, 'kind' | 'points'>[];
  /** `at` is the top left corner of the text. Lines are separated by \n. */
  readonly texts: readonly { readonly text: string; readonly at: StatePoint }[];
}

/** What a written presentation state says of its image. */
export interface StateContent {
  /** Degrees clockwise, before the flip (PS3.3 C.10.6). */
  readonly rotation: 0 | 90 | 180 | 270;
  readonly flip: boolean;
  /** Null in a colour state. `voi` null: all values from black to white. */
  readonly grey: { readonly modality: Modality; readonly voi: Voi | null; readonly inverted: boolean } | null;
  readonly marks: readonly FrameMarks[];
}

/** A rectangle in parts of the width and height of a display, 0, 0 is its top left corner. */
export interface DisplayRectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface DisplayText {
  readonly place: DisplayRectangle;
  readonly text: string;
}

/** A box of a written display; `image` null: empty. */
export interface DisplayBox {
  readonly place: DisplayRectangle;
  readonly image: { readonly reference: ImageReference; readonly state: ImageReference | null } | null;
}
