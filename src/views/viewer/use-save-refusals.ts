import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewerActor } from '../../machines/viewer/viewer.machine.ts';
import { useFailureText } from '../language/failure-text.ts';
import { toast } from '../parts/toast.ts';

/** Tells why the archive did not keep how an image was shown or measured: it is shown as the archive has it. */
export const useSaveRefusals = (actor: ViewerActor): void => {
  const { t } = useTranslation(['viewer', 'shell']);
  const failureText = useFailureText();
  const latest = useRef({ t, failureText });
  useEffect(() => {
    latest.current = { t, failureText };
  });
  useEffect(() => {
    const subscription = actor.on('save.refused', ({ failure }) => {
      const { t: words, failureText: reasonOf } = latest.current;
      const isConflict = failure.kind === 'refused' && failure.code === 'conflict';
      const text = isConflict ? words('saveConflict') : words('saveRefused', { reason: reasonOf(failure) });
      toast({ tone: 'bad', text, close: words('shell:close') });
    });
    return () => subscription.unsubscribe();
  }, [actor]);
};
