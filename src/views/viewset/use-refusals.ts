import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewsetActor } from '../../machines/viewset/viewset.machine.ts';
import { useFailureText } from '../language/failure-text.ts';
import { toast } from '../parts/toast.ts';

/** Tells why the archive did not agree to what was shown already: it has been taken back. */
export const useRefusals = (actor: ViewsetActor): void => {
  const { t } = useTranslation(['viewset', 'shell']);
  const failureText = useFailureText();
  const latest = useRef({ t, failureText });
  useEffect(() => {
    latest.current = { t, failureText };
  });
  useEffect(() => {
    const subscription = actor.on('operation.refused', ({ failure }) => {
      const { t: words, failureText: reasonOf } = latest.current;
      const isConflict = failure.kind === 'refused' && failure.code === 'conflict';
      const text = isConflict ? words('conflict') : words('notDone', { reason: reasonOf(failure) });
      toast({ tone: 'bad', text, close: words('shell:close') });
    });
    return () => subscription.unsubscribe();
  }, [actor]);
};
