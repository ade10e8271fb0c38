import type { Study } from '../../../../contract/studies.ts';
import type { Viewset } from '../../../../contract/viewsets.ts';
import type { MountComparison, PriorPair, ShownContent, ShownImage } from '../../app/shown-content.ts';
import { comparedIn, imagesOf, maxCompared, minCompared, type PatientLocation } from './patient-location.ts';
import { priorMountsOf } from './prior-mounts.rules.ts';
import { datedImagesOf, priorsOf } from './priors.rules.ts';

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

/** Returns an image beside an earlier one; null when that is no longer an earlier image of it. */
const priorComparison = (
  { priorUid, currentUid }: PriorPair,
  viewset: Viewset | null,
  studies: readonly Study[],
  isPriorRight: boolean,
): ShownContent | null => {
  const found = priorsOf(currentUid, datedImagesOf(studies));
  const at = found?.priors.findIndex(({ image }) => image.image.uid === priorUid) ?? -1;
  const prior = found?.priors[at];
  const current = shownIn(currentUid, viewset, studies);
  if (!found || !prior || !current) return null;
  // Of another mount the place and display are known from the list of studies.
  const inMount = shownIn(priorUid, viewset, studies);
  const images = [inMount?.item ? inMount : prior.image, current];
  return {
    kind: 'compare',
    images: isPriorRight ? images.toReversed() : images,
    prior: {
      currentUid,
      match: prior.match,
      priorDay: prior.image.day ?? '',
      currentDay: found.current.day ?? '',
      hasLater: at > 0,
      undated: found.undated,
    },
  };
};

/** Returns the pair of an image of either mount. */
export const pairOf = ({ pairs }: MountComparison, imageUid: string | null): PriorPair | null =>
  pairs.find(({ priorUid, currentUid }) => priorUid === imageUid || currentUid === imageUid) ?? null;

/** Returns a mount beside an earlier one; null when that is no longer an earlier mount with the same images. */
const mountComparison = (
  current: Viewset,
  earlier: Viewset,
  studies: readonly Study[],
  isPriorRight: boolean,
): ShownContent | null => {
  const found = priorMountsOf(current.viewSetUuid, studies);
  const at = found?.priors.findIndex(({ viewsetId }) => viewsetId === earlier.viewSetUuid) ?? -1;
  const prior = found?.priors[at];
  if (!found || !prior) return null;
  return {
    kind: 'mounts',
    viewsets: isPriorRight ? [current, earlier] : [earlier, current],
    prior: {
      currentId: current.viewSetUuid,
      match: prior.match,
      pairs: prior.pairs,
      priorDay: prior.day,
      currentDay: found.day ?? '',
      hasLater: at > 0,
    },
  };
};

/**
 * Returns the content of a location; null while loading or when it no longer exists. `isPriorRight`: what is earlier is at the right of
 * the current. `earlier`: the earlier mount of the location, null while it is loaded.
 */
export const contentOf = (
  location: PatientLocation,
  studies: readonly Study[],
  viewset: Viewset | null,
  isPriorRight = false,
  earlier: Viewset | null = null,
): ShownContent | null => {
  const open = viewset?.viewSetUuid === location.viewsetId ? viewset : null;
  // The display of mounted images is known only with the viewset.
  if (location.viewsetId && !open) return null;
  const comparison = location.prior && priorComparison(location.prior, open, studies, isPriorRight);
  if (comparison) return comparison;
  if (location.compare.length > 0) {
    const images = location.compare.flatMap((uid) => shownIn(uid, open, studies) ?? []);
    return images.length > 1 ? { kind: 'compare', images, prior: null } : null;
  }
  if (location.imageUid) {
    const shown = shownIn(location.imageUid, open, studies);
    return shown && { kind: 'image', shown };
  }
  const mounts =
    open && earlier?.viewSetUuid === location.priorMount && earlier
      ? mountComparison(open, earlier, studies, isPriorRight)
      : null;
  return mounts ?? (open && { kind: 'mount', viewset: open });
};

/**
 * Returns the location with an image added to or removed from the comparison; null when there is nothing to compare with
 * or no space. Removing one of two leaves the other alone.
 */
export const withCompared = (location: PatientLocation, imageUid: string): PatientLocation | null => {
  const compared = comparedIn(location);
  const alone = { ...location, prior: null, imageUid: null };
  if (compared.includes(imageUid)) {
    const left = compared.filter((uid) => uid !== imageUid);
    return left.length >= minCompared
      ? { ...alone, compare: left }
      : { ...alone, imageUid: left[0] ?? null, compare: [] };
  }
  const shown = compared.length > 0 || !location.imageUid ? compared : [location.imageUid];
  if (shown.length === 0 || shown.includes(imageUid) || shown.length >= maxCompared) return null;
  return { ...alone, compare: [...shown, imageUid] };
};
