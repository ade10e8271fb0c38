import type { Study } from '../../../../contract/studies.ts';
import type { Viewset } from '../../../../contract/viewsets.ts';
import type { ShownContent, ShownImage } from '../../app/shown-content.ts';
import { imagesOf, maxCompared, minCompared, type PatientLocation } from './patient-location.ts';

/** Returns the study of a location. */
export const studyOf = (location: PatientLocation, studies: readonly Study[]): Study | null =>
  studies.find(({ viewsets }) => viewsets.some(({ viewSetUuid }) => viewSetUuid === location.viewsetId)) ??
  studies.find((study) => imagesOf(study).some(({ uid }) => uid === location.imageUid)) ??
  studies.find(({ series }) => series.some(({ uid }) => uid === location.series)) ??
  null;

const shownIn = (uid: string, viewset: Viewset | null, studies: readonly Study[]): ShownImage | null => {
  const item = viewset?.viewSetItems.find(({ activeImage }) => activeImage?.uid === uid);
  if (viewset && item?.activeImage) return { image: item.activeImage, item, viewsetId: viewset.viewSetUuid };
  const image =
    viewset?.detachedImages.find((one) => one.uid === uid) ?? studies.flatMap(imagesOf).find((one) => one.uid === uid);
  return image ? { image, item: null, viewsetId: null } : null;
};

/** Returns the open viewset; `elsewhere` when it belongs to another patient because its study was moved. */
export const openViewset = (
  viewset: Viewset | null,
  viewsetId: string | null,
  patientId: string,
): Viewset | 'elsewhere' | null => {
  if (viewset === null || viewset.viewSetUuid !== viewsetId) return null;
  return viewset.patientId === patientId ? viewset : 'elsewhere';
};

/** Returns the content of a location; null while loading or when it no longer exists. */
export const contentOf = (
  location: PatientLocation,
  studies: readonly Study[],
  viewset: Viewset | null,
): ShownContent | null => {
  const open = viewset?.viewSetUuid === location.viewsetId ? viewset : null;
  // The display of mounted images is known only with the viewset.
  if (location.viewsetId && !open) return null;
  if (location.compare.length > 0) {
    const images = location.compare.flatMap((uid) => shownIn(uid, open, studies) ?? []);
    return images.length > 1 ? { kind: 'compare', images } : null;
  }
  if (location.imageUid) {
    const shown = shownIn(location.imageUid, open, studies);
    return shown && { kind: 'image', shown };
  }
  return open && { kind: 'mount', viewset: open };
};

/**
 * Returns the location with an image added to or removed from the comparison; null when there is nothing to compare with
 * or no space. Removing one of two leaves the other alone.
 */
export const withCompared = (location: PatientLocation, imageUid: string): PatientLocation | null => {
  const shown = location.compare.length > 0 ? location.compare : location.imageUid ? [location.imageUid] : [];
  if (location.compare.includes(imageUid)) {
    const left = shown.filter((uid) => uid !== imageUid);
    if (left.length >= minCompared) return { ...location, imageUid: null, compare: left };
    return { ...location, imageUid: left[0] ?? null, compare: [] };
  }
  if (shown.length === 0 || shown.includes(imageUid) || shown.length >= maxCompared) return null;
  return { ...location, imageUid: null, compare: [...shown, imageUid] };
};
