import type { MountComparison, PriorComparison, ShownContent } from '../../app/shown-content.ts';
import type { Navigation } from '../patient/use-navigation.ts';

/** What a content is compared with, and what it can be compared with. */
export interface Comparisons {
  /** Compares the active image, or ends the comparison; null when neither is possible. */
  readonly toggleImages: (() => void) | null;
  /** Shows the mount beside its prior, or ends that comparison; null without a mount. */
  readonly toggleMounts: (() => void) | null;
  /** The earlier image that is shown. */
  readonly priorImage: PriorComparison | null;
  /** The earlier mount that is shown. */
  readonly priorMount: MountComparison | null;
  /** UID of the image that earlier ones are searched for; null without one. */
  readonly searchedUid: string | null;
}

/** Returns the comparisons of a content. `activePicture`: UID of the active image, if it has pixels. */
export const comparisonsOf = (
  content: ShownContent,
  navigation: Navigation,
  { activeUid, activePicture }: { readonly activeUid: string | null; readonly activePicture: string | null },
): Comparisons => {
  const priorImage = content.kind === 'compare' ? content.prior : null;
  const searchedUid = priorImage?.currentUid ?? activePicture;
  if (content.kind === 'compare')
    return { toggleImages: navigation.back, toggleMounts: null, priorImage, priorMount: null, searchedUid };
  if (content.kind === 'mounts')
    return { toggleImages: null, toggleMounts: navigation.back, priorImage, priorMount: content.prior, searchedUid };
  const { compare, prior } = navigation;
  return {
    toggleImages: activeUid !== null && compare ? () => compare(activeUid) : null,
    toggleMounts: content.kind === 'mount' ? prior.mounts : null,
    priorImage,
    priorMount: null,
    searchedUid,
  };
};
