import { LoadingOverlay, Portal, VisuallyHidden } from '@mantine/core';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { selectIsStale, selectShowsLoading } from '../../../machines/viewset/viewset.machine.ts';
import { useWorkspace } from '../workspace-context.ts';
import classes from './mount-status.module.css';
import type { MountController } from './use-mount-controller.ts';

interface MountStatusProps {
  readonly controller: MountController;
  /** Digits typed so far. */
  readonly typed: string;
}

/** Overlays of the mount: typed number, slow reorder; and a live region for screen readers. */
export const MountStatus = ({ controller, typed }: MountStatusProps) => {
  const { t } = useTranslation('viewset');
  const { viewsets } = useWorkspace();
  const loading = useSelector(viewsets, selectShowsLoading);
  const stale = useSelector(viewsets, selectIsStale);
  return (
    <>
      <VisuallyHidden role="status" aria-live="polite">
        {controller.announcement}
      </VisuallyHidden>
      {typed && <div className={classes.typed}>{t('slotTyped', { typed })}</div>}
      {stale && (
        <div className={classes.stale} role="status">
          {t('stale')}
        </div>
      )}
      {loading && (
        <Portal>
          <div className={classes.loading} role="status" aria-label={t('saving')}>
            <LoadingOverlay visible overlayProps={{ backgroundOpacity: 0.5, color: '#000' }} />
          </div>
        </Portal>
      )}
    </>
  );
};
