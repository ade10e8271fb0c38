import type { ImageInfo } from '../../../contract/images.ts';
import type { Viewset, ViewsetItem } from '../../../contract/viewsets.ts';

/** An image that is shown by itself or beside others, and where it hangs. */
export interface ShownImage {
  readonly image: ImageInfo;
  /** The slot of the viewset that it hangs in; null outside any. */
  readonly item: ViewsetItem | null;
  readonly viewsetId: string | null;
}

/** What fills the stage. */
export type RoomContent =
  | { readonly kind: 'mount'; readonly viewset: Viewset }
  | { readonly kind: 'image'; readonly shown: ShownImage }
  /** Two to four. */
  | { readonly kind: 'compare'; readonly images: readonly ShownImage[] };

const none: readonly ShownImage[] = [];

/** Every image with pixels of a content, in its order. Documents are no matter of a stage. */
export const shownImagesOf = (content: RoomContent | null): readonly ShownImage[] => {
  if (!content) return none;
  const all =
    content.kind === 'mount'
      ? content.viewset.viewSetItems.flatMap((item) =>
          item.activeImage ? [{ image: item.activeImage, item, viewsetId: content.viewset.viewSetUuid }] : [],
        )
      : content.kind === 'image'
        ? [content.shown]
        : content.images;
  return all.filter(({ image }) => image.kind === 'image');
};

/** The image in hand as the content knows it; also a document. */
export const shownOf = (content: RoomContent, imageUid: string | null): ShownImage | null =>
  content.kind === 'image' && content.shown.image.uid === imageUid
    ? content.shown
    : (shownImagesOf(content).find(({ image }) => image.uid === imageUid) ?? null);
