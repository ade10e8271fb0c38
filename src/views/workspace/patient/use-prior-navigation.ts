import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Study } from '../../../../contract/studies.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import type { PriorPair } from '../../app/shown-content.ts';
import { useFailureText } from '../../language/failure-text.ts';
import { toast } from '../../ui/toast.ts';
import { isMountComparison, type PatientLocation } from './patient-location.ts';
import { priorMountsOf } from './prior-mounts.rules.ts';
import { canMatch, datedImagesOf, type Priors, priorsOf } from './priors.rules.ts';

/** Navigation between an image, or a mount, and earlier ones. */
export interface PriorNavigation {
  /** Shows an image beside an earlier one; in a comparison with an earlier image or mount the one before. Says when there is none. */
  readonly older: (imageUid: string) => void;
  /** Shows the next later one of the earlier images or mounts. */
  readonly later: () => void;
  /** Exchanges left and right. */
  readonly swap: () => void;
  /** Shows the open mount beside an earlier one. Says when there is none. */
  readonly mounts: () => void;
}

export interface PriorNavigationOptions {
  readonly location: PatientLocation;
  readonly studies: readonly Study[];
  /** Loads the studies that are not loaded yet and returns all; null when all are loaded. */
  readonly loadStudies: (() => Promise<readonly Study[]>) | null;
  readonly onFound: (pair: PriorPair) => void;
  readonly onMountFound: (viewsetId: string) => void;
  readonly onSwap: () => void;
}

/** Returns a sentence for each reason why no earlier image is offered. */
const useNoPriorText = () => {
  const { t } = useTranslation('viewer');
  return ({ current, priors, undated, sameDay, withoutTeeth }: Priors, priorUid: string | undefined): string => {
    const shown = priors.find(({ image }) => image.image.uid === priorUid);
    if (!canMatch(current)) return t('priorNoTeeth');
    if (current.day === null) return t('priorNoDate');
    return [
      shown ? t('priorNoneBefore', { date: shown.image.day }) : t('priorNone'),
      sameDay > 0 && !shown && t('priorSameDay', { count: sameDay }),
      undated > 0 && t('priorUndated', { count: undated }),
      withoutTeeth > 0 && t('priorWithoutTeeth', { count: withoutTeeth }),
    ]
      .filter(Boolean)
      .join('\n');
  };
};

/** Finds earlier images among all studies of the patient. */
export const usePriorNavigation = (options: PriorNavigationOptions): PriorNavigation => {
  const { location, studies, loadStudies, onFound, onMountFound, onSwap } = options;
  const { t } = useTranslation(['shell', 'viewer']);
  const noPriorText = useNoPriorText();
  const failureText = useFailureText();
  const { prior } = location;
  // A location that was left meanwhile is not changed.
  const place = JSON.stringify(location);
  const latest = useRef<string | null>(null);
  useEffect(() => {
    latest.current = place;
    return () => {
      latest.current = null;
    };
  }, [place]);

  const move = (all: readonly Study[], imageUid: string, by: 1 | -1) => {
    const currentUid = prior?.currentUid ?? imageUid;
    const found = priorsOf(currentUid, datedImagesOf(all));
    if (!found) return;
    const at = found.priors.findIndex(({ image }) => image.image.uid === prior?.priorUid);
    const next = at < 0 && by === 1 ? found.best : found.priors[at + by];
    if (next) onFound({ priorUid: next.image.image.uid, currentUid });
    else if (by === 1) toast({ tone: 'plain', text: noPriorText(found, prior?.priorUid), close: t('close') });
  };
  const moveMount = (all: readonly Study[], by: 1 | -1) => {
    const found = location.viewsetId === null ? null : priorMountsOf(location.viewsetId, all);
    if (!found) return;
    const { priors, best, day } = found;
    const at = priors.findIndex(({ viewsetId }) => viewsetId === location.priorMount);
    const next = at < 0 && by === 1 ? best : priors[at + by];
    if (next) return onMountFound(next.viewsetId);
    if (by === -1) return;
    const text =
      day === null
        ? t('viewer:mountNoDate')
        : at < 0
          ? t('viewer:mountNone')
          : t('viewer:mountNoneBefore', { date: priors[at]?.day });
    toast({ tone: 'plain', text, close: t('close') });
  };
  /** An earlier image or mount may be in any study. */
  const withAllStudies = (run: (all: readonly Study[]) => void) => {
    if (!loadStudies) return run(studies);
    loadStudies().then(
      (all) => {
        if (latest.current === place) run(all);
      },
      (error: unknown) => toast({ tone: 'bad', text: failureText(failureOfQuery(error)), close: t('close') }),
    );
  };
  const isMount = isMountComparison(location);
  return {
    older: (imageUid) => withAllStudies((all) => (isMount ? moveMount(all, 1) : move(all, imageUid, 1))),
    later: () => {
      if (isMount) moveMount(studies, -1);
      else if (prior) move(studies, prior.currentUid, -1);
    },
    swap: onSwap,
    mounts: () => withAllStudies((all) => moveMount(all, 1)),
  };
};
