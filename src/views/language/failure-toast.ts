import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../parts/toast.ts';
import { type ToldFailure, useFailureText } from './failure-text.ts';

interface FailureWords {
  /** Somebody else was quicker. */
  readonly conflict: () => string;
  readonly other: (reason: string) => string;
}

/** Tells in a toast that the archive did not agree. The function stays the same; it speaks the language of the moment. */
export const useFailureToast = (words: FailureWords): ((failure: ToldFailure) => void) => {
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
