import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewerActor } from '../../machines/viewer/viewer.machine.ts';
import type { ViewsetActor } from '../../machines/viewset/viewset.machine.ts';
import { useFailureToast } from '../language/failure-toast.ts';

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
