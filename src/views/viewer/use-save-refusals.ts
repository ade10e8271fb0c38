import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewerActor } from '../../machines/viewer/viewer.machine.ts';
import { useFailureToast } from '../language/failure-toast.ts';

/** Tells why the archive did not keep how an image was shown or measured: it is shown as the archive has it. */
export const useSaveRefusals = (actor: ViewerActor): void => {
  const { t } = useTranslation('viewer');
  const tell = useFailureToast({ conflict: () => t('saveConflict'), other: (reason) => t('saveRefused', { reason }) });
  useEffect(() => {
    const subscription = actor.on('save.refused', ({ failure }) => tell(failure));
    return () => subscription.unsubscribe();
  }, [actor, tell]);
};
