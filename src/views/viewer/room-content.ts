import type { ShownContent, ShownImage } from '../shown-content.ts';

const none: readonly ShownImage[] = [];

/** Every image with pixels of a content, in its order. Documents are no matter of a stage. */
export const shownImagesOf = (content: ShownContent | null): readonly ShownImage[] => {
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
export const shownOf = (content: ShownContent, imageUid: string | null): ShownImage | null =>
  content.kind === 'image' && content.shown.image.uid === imageUid
    ? content.shown
    : (shownImagesOf(content).find(({ image }) => image.uid === imageUid) ?? null);
