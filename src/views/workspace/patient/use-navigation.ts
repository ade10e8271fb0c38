import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { ImageInfo } from '../../../../contract/images.ts';
import type { Study } from '../../../../contract/studies.ts';
import type { Viewset } from '../../../../contract/viewsets.ts';
import type { ToothHistoryControl } from '../tooth-history/use-tooth-history.ts';
import { useWorkspace } from '../workspace-context.ts';
import { imagesOf, type PatientLocation, patientPath } from './patient-location.ts';
import { type PriorNavigation, type PriorNavigationOptions, usePriorNavigation } from './use-prior-navigation.ts';

/** Navigation from the content of the workspace. */
export interface Navigation {
  /** Opens an image alone. */
  readonly open: (imageUid: string) => void;
  /** Goes to the next or previous image. */
  readonly step: (by: 1 | -1) => void;
  /** Shows the last comparison of an image again, else compares it with the next one; null when there is no other. */
  readonly compare: ((imageUid: string) => void) | null;
  readonly prior: PriorNavigation;
  /** Back to the mount, or from a comparison to the image; null when there is none. */
  readonly back: (() => void) | null;
  /** Shows the tooth history of an image, or of all teeth for null; closes it when it is already shown. */
  readonly toggleHistory: (imageUid: string | null) => void;
  readonly isHistoryOpen: boolean;
}

/** Returns the images to step through: those of the open viewset in capture order and then its tray, else those of the study. */
const neighboursOf = (viewset: Viewset | null, study: Study | null): readonly ImageInfo[] => {
  if (!viewset) return study ? imagesOf(study) : [];
  const slots = viewset.viewSetItems.toSorted((one, other) => one.order - other.order);
  return [...slots.flatMap(({ activeImage }) => activeImage ?? []), ...viewset.detachedImages];
};

interface NavigationOptions extends Pick<PriorNavigationOptions, 'studies' | 'loadStudies' | 'onSwap'> {
  readonly location: PatientLocation;
  /** The open viewset. */
  readonly viewset: Viewset | null;
  /** Study of the content. */
  readonly study: Study | null;
  /** Returns whether the patient still has an image. */
  readonly hasImage: (imageUid: string) => boolean;
  readonly history: Pick<ToothHistoryControl, 'view' | 'toggle'>;
}

/** Returns the navigation from a location. */
export const useNavigation = ({
  location,
  viewset,
  study,
  hasImage,
  history,
  ...priorOptions
}: NavigationOptions): Navigation => {
  const { patientId } = useWorkspace();
  const [, navigate] = useLocation();
  const go = (to: Partial<PatientLocation>, options?: { replace: boolean }) =>
    navigate(patientPath(patientId, { ...location, imageUid: null, compare: [], prior: null, ...to }), options);
  const neighbours = neighboursOf(viewset, study);
  const pictures = neighbours.filter(({ kind }) => kind === 'image');
  const lastCompared = useRef<readonly string[]>([]);
  useEffect(() => {
    if (location.compare.length > 0) lastCompared.current = location.compare;
  }, [location.compare]);
  const compare = (imageUid: string) => {
    const last = lastCompared.current;
    if (last.includes(imageUid) && last.every(hasImage)) return go({ compare: last });
    const at = pictures.findIndex(({ uid }) => uid === imageUid);
    const other = pictures[at + 1] ?? pictures[at - 1];
    if (at >= 0 && other) go({ compare: [imageUid, other.uid] });
  };
  const prior = usePriorNavigation({
    ...priorOptions,
    location,
    onFound: (pair) => go({ ...location, prior: pair }, { replace: location.prior !== null }),
  });
  const isBelow = location.compare.length > 0 || (location.imageUid !== null && location.viewsetId !== null);
  return {
    open: (imageUid) => go({ imageUid }),
    step: (by) => {
      const next = neighbours[neighbours.findIndex(({ uid }) => uid === location.imageUid) + by];
      if (next && location.imageUid && !location.prior) go({ imageUid: next.uid }, { replace: true });
    },
    compare: pictures.length > 1 ? compare : null,
    prior,
    back: location.prior
      ? () => go({ ...location, prior: null })
      : isBelow
        ? () => go(location.viewsetId ? {} : { imageUid: location.compare[0] ?? null })
        : null,
    toggleHistory: history.toggle,
    isHistoryOpen: history.view !== null,
  };
};
