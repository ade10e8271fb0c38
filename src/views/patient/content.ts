import type { ImageInfo } from '../../../contract/images.ts';
import type { Study } from '../../../contract/studies.ts';
import type { Viewset } from '../../../contract/viewsets.ts';
import type { ShownContent, ShownImage } from '../shown-content.ts';
import { imagesOf, type Place } from './place.ts';

/** The study that a place is in. */
export const studyOf = (place: Place, studies: readonly Study[]): Study | null =>
  studies.find(({ viewsets }) => viewsets.some(({ viewSetUuid }) => viewSetUuid === place.viewsetId)) ??
  studies.find((study) => imagesOf(study).some(({ uid }) => uid === place.imageUid)) ??
  studies.find(({ series }) => series.some(({ uid }) => uid === place.series)) ??
  null;

const shownIn = (uid: string, viewset: Viewset | null, studies: readonly Study[]): ShownImage | null => {
  const item = viewset?.viewSetItems.find(({ activeImage }) => activeImage?.uid === uid);
  if (viewset && item?.activeImage) return { image: item.activeImage, item, viewsetId: viewset.viewSetUuid };
  const image =
    viewset?.detachedImages.find((one) => one.uid === uid) ?? studies.flatMap(imagesOf).find((one) => one.uid === uid);
  return image ? { image, item: null, viewsetId: null } : null;
};

/** Images among which one steps: those of the open viewset in capture order and then its tray, else those of the study. */
export const neighboursOf = (viewset: Viewset | null, study: Study | null): readonly ImageInfo[] => {
  if (!viewset) return study ? imagesOf(study) : [];
  const slots = viewset.viewSetItems.toSorted((one, other) => one.order - other.order);
  return [...slots.flatMap(({ activeImage }) => activeImage ?? []), ...viewset.detachedImages];
};

/** What a place shows, as far as it is known by now; null while it is not, or when it is no more. */
export const contentOf = (place: Place, studies: readonly Study[], viewset: Viewset | null): ShownContent | null => {
  const open = viewset?.viewSetUuid === place.viewsetId ? viewset : null;
  // Until the viewset is known, nobody knows how its images were left.
  if (place.viewsetId && !open) return null;
  if (place.compare.length > 0) {
    const images = place.compare.flatMap((uid) => shownIn(uid, open, studies) ?? []);
    return images.length > 1 ? { kind: 'compare', images } : null;
  }
  if (place.imageUid) {
    const shown = shownIn(place.imageUid, open, studies);
    return shown && { kind: 'image', shown };
  }
  return open && { kind: 'mount', viewset: open };
};
