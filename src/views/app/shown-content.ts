import type { ImageInfo } from '../../../contract/images.ts';
import type { Viewset, ViewsetItem } from '../../../contract/viewsets.ts';

/** An image shown alone or in a comparison, and its slot. */
export interface ShownImage {
  readonly image: ImageInfo;
  /** Its slot in the open viewset; null when it is not mounted there. */
  readonly item: ViewsetItem | null;
  readonly viewsetId: string | null;
}

/** Content of the viewer workspace, derived from the URL. */
export type ShownContent =
  | { readonly kind: 'mount'; readonly viewset: Viewset }
  | { readonly kind: 'image'; readonly shown: ShownImage }
  /** Two to four images. */
  | { readonly kind: 'compare'; readonly images: readonly ShownImage[] };
