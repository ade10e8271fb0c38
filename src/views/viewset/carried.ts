import type { ImageInfo } from '../../../contract/images.ts';

/** An image on its way from a slot or from the tray. */
export interface Carried {
  readonly image: ImageInfo;
  /** The slot that it comes from; null: the tray. */
  readonly from: number | null;
}
