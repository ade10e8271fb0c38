import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../ui/toast.ts';
import { type ReportedFailure, useFailureText } from './failure-text.ts';

interface FailureWords {
  /** Another user saved first. */
  readonly conflict: () => string;
  readonly other: (reason: string) => string;
}

/** Returns a stable function that shows a failure as a toast in the current language. */
export const useFailureToast = (words: FailureWords): ((failure: ReportedFailure) => void) => {
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
