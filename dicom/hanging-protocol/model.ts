import type { DisplayRectangle } from '../display-objects/model.ts';

/** Hanging Protocol Storage. */
export const hangingProtocolClass = '1.2.840.10008.5.1.4.38.1';

/** A box of a layout and the images that belong into it. */
export interface ProtocolSlot {
  readonly place: DisplayRectangle;
  /** Null: none. */
  readonly label: string | null;
  /** ISO 3950. */
  readonly teeth: readonly number[];
}

/** What of a Hanging Protocol is no slot of a layout of images. */
export type ProtocolPart =
  | 'screens'
  | 'presentation-groups'
  | 'priors'
  | 'box-kind'
  | 'box-place'
  | 'filters'
  | 'sorting'
  | 'selectors'
  | 'modalities'
  | 'body-part';
