import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewerActor } from '../../machines/viewer/viewer.machine.ts';
import type { ViewsetActor } from '../../machines/viewset/viewset.machine.ts';
import { type ReportedFailure, useFailureText } from '../language/failure-text.ts';
import { toast } from '../ui/toast.ts';

interface FailureWords {
  /** Another user saved first. */
  readonly conflict: () => string;
  readonly other: (reason: string) => string;
}

/** Returns a stable function that shows a failure as a toast in the current language. */
const useFailureToast = (words: FailureWords): ((failure: ReportedFailure) => void) => {
  const { t } = useTranslation('shell');
  const failureText = useFailureText();
  const latest = useRef({ t, failureText, words });
  useEffect(() => {
    latest.current = { t, failureText, words };
  });
  return useCallback((failure) => {
    const now = latest.current;
    const isConflict = failure.kind === 'refused' && failure.code === 'conflict';
    const text = isConflict ? now.words.conflict() : now.words.other(now.failureText(failure));
    toast({ tone: 'bad', text, close: now.t('close') });
  }, []);
};

/** Shows a toast when saving display or measurements failed; the viewer has reverted to the saved state. */
export const useSaveErrors = (actor: ViewerActor): void => {
  const { t } = useTranslation('viewer');
  const showFailure = useFailureToast({
    conflict: () => t('saveConflict'),
    other: (reason) => t('saveRejected', { reason }),
  });
  useEffect(() => {
    const subscription = actor.on('save.rejected', ({ failure }) => showFailure(failure));
    return () => subscription.unsubscribe();
  }, [actor, showFailure]);
};

/** Shows a toast when the server rejected an optimistic change of the mount, which was reverted. */
export const useOperationErrors = (actor: ViewsetActor): void => {
  const { t } = useTranslation('viewset');
  const showFailure = useFailureToast({
    conflict: () => t('conflict'),
    other: (reason) => t('changeUndone', { reason }),
  });
  useEffect(() => {
    const subscription = actor.on('operation.rejected', ({ failure }) => showFailure(failure));
    return () => subscription.unsubscribe();
  }, [actor, showFailure]);
};
