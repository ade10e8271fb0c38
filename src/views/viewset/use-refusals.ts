import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewsetActor } from '../../machines/viewset/viewset.machine.ts';
import { useFailureToast } from '../language/failure-toast.ts';

/** Tells why the archive did not agree to what was shown already: it has been taken back. */
export const useRefusals = (actor: ViewsetActor): void => {
  const { t } = useTranslation('viewset');
  const tell = useFailureToast({ conflict: () => t('conflict'), other: (reason) => t('notDone', { reason }) });
  useEffect(() => {
    const subscription = actor.on('operation.refused', ({ failure }) => tell(failure));
    return () => subscription.unsubscribe();
  }, [actor, tell]);
};
