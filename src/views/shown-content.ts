import type { ImageInfo } from '../../contract/images.ts';
import type { Viewset, ViewsetItem } from '../../contract/viewsets.ts';

/** An image that is shown by itself or beside others, and where it hangs. */
export interface ShownImage {
  readonly image: ImageInfo;
  /** The slot of the open viewset that it hangs in; null outside any. */
  readonly item: ViewsetItem | null;
  readonly viewsetId: string | null;
}

/** What fills the middle of a patient's page: what the place in the address means, and what the reading room shows. */
export type ShownContent =
  | { readonly kind: 'mount'; readonly viewset: Viewset }
  | { readonly kind: 'image'; readonly shown: ShownImage }
  /** Two to four. */
  | { readonly kind: 'compare'; readonly images: readonly ShownImage[] };
