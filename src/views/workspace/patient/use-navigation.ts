import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { ImageInfo } from '../../../../contract/images.ts';
import type { Study } from '../../../../contract/studies.ts';
import type { Viewset } from '../../../../contract/viewsets.ts';
import type { PriorPair } from '../../app/shown-content.ts';
import { toast } from '../../ui/toast.ts';
import type { ToothHistoryControl } from '../tooth-history/use-tooth-history.ts';
import { useWorkspace } from '../workspace-context.ts';
import { mountBeside } from './mount-beside.ts';
import { imagesOf, type PatientLocation, patientPath, viewsetPath } from './patient-location.ts';
import { priorMountsOf } from './prior-mounts.rules.ts';
import { datedImagesOf, priorsOf } from './priors.rules.ts';
import { type PriorNavigation, type PriorNavigationOptions, usePriorNavigation } from './use-prior-navigation.ts';

/** Navigation from the content of the workspace. */
export interface Navigation {
  /** Opens an image alone. */
  readonly open: (imageUid: string) => void;
  /** Goes to the next or previous image, beside its earlier one when an earlier one is shown. */
  readonly step: (by: 1 | -1) => void;
  /** Opens the next or previous mount of the list of studies. */
  readonly stepMount: (by: 1 | -1) => void;
  /** Shows an image beside the one that shows the same in an earlier mount. */
  readonly openPair: (pair: PriorPair) => void;
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
  const { t } = useTranslation(['shell', 'viewer']);
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
    onMountFound: (viewsetId) => go({ priorMount: viewsetId }, { replace: location.priorMount !== null }),
  });
  const { studies } = priorOptions;
  /** Goes to the next image that has an earlier one, in a comparison of mounts one of the shown earlier mount. */
  const stepPair = (shownPair: PriorPair, by: 1 | -1) => {
    const mountPairs = location.viewsetId
      ? priorMountsOf(location.viewsetId, studies)?.priors.find(({ viewsetId }) => viewsetId === location.priorMount)
          ?.pairs
      : undefined;
    const dated = datedImagesOf(studies);
    const pairOf = (currentUid: string): PriorPair | undefined => {
      if (mountPairs) return mountPairs.find((pair) => pair.currentUid === currentUid);
      const best = priorsOf(currentUid, dated)?.best;
      return best ? { priorUid: best.image.image.uid, currentUid } : undefined;
    };
    const at = pictures.findIndex(({ uid }) => uid === shownPair.currentUid);
    const ahead = by === 1 ? pictures.slice(at + 1) : pictures.slice(0, Math.max(at, 0)).toReversed();
    const next = ahead.findIndex(({ uid }) => pairOf(uid));
    const found = pairOf(ahead[next]?.uid ?? '');
    if (!found) return;
    const { imageUid } = location;
    go({ ...location, imageUid: imageUid && found.currentUid, prior: found }, { replace: true });
    if (next > 0) toast({ tone: 'plain', text: t('viewer:priorSkipped', { count: next }), close: t('close') });
  };
  const backFrom = (): (() => void) | null => {
    if (location.prior) return () => go({ ...location, prior: null });
    if (location.viewsetId && (location.compare.length > 0 || location.imageUid)) return () => go({});
    if (location.compare.length > 0) return () => go({ imageUid: location.compare[0] ?? null });
    return location.priorMount ? () => go({ priorMount: null }) : null;
  };
  return {
    open: (imageUid) => go({ imageUid }),
    step: (by) => {
      if (location.prior) return stepPair(location.prior, by);
      const next = neighbours[neighbours.findIndex(({ uid }) => uid === location.imageUid) + by];
      if (next && location.imageUid) go({ imageUid: next.uid }, { replace: true });
    },
    stepMount: (by) => {
      const next = mountBeside(studies, study, location.viewsetId, by);
      if (next) navigate(viewsetPath(patientId, next.study, next.viewsetId, location.history));
    },
    openPair: (pair) => {
      const isPrior = priorsOf(pair.currentUid, datedImagesOf(studies))?.priors.some(
        ({ image }) => image.image.uid === pair.priorUid,
      );
      // Two mounts of one day: only the best match of a day is an earlier image of its own.
      go(isPrior ? { prior: pair } : { compare: [pair.priorUid, pair.currentUid] });
    },
    compare: pictures.length > 1 ? compare : null,
    prior,
    back: backFrom(),
    toggleHistory: history.toggle,
    isHistoryOpen: history.view !== null,
  };
};
