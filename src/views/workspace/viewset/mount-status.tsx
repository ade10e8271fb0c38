import { LoadingOverlay, Portal, VisuallyHidden } from '@mantine/core';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { selectIsStale, selectShowsLoading } from '../../../machines/viewset/viewset.machine.ts';
import { DragPreview } from '../../ui/drag-preview.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import type { Drag } from '../../ui/use-drag.ts';
import { useWorkspace } from '../workspace-context.ts';
import type { Dragged } from './mount-actions.ts';
import classes from './mount-status.module.css';
import { useMountTexts } from './mount-texts.ts';
import type { MountController } from './use-mount-controller.ts';

/** The dragged image under the pointer. */
const ImageDragPreview = ({ drag }: { drag: Drag<Dragged> }) => {
  const { t } = useTranslation('viewset');
  const texts = useMountTexts();
  const image = drag.dragged?.image;
  return (
    <DragPreview drag={drag}>
      {image && (
        <Thumbnail
          link={image.activeImageThumbLink}
          kind={image.kind}
          words={{ pending: t('thumbnailPending'), failed: t('thumbnailFailed'), document: texts.document(image) }}
        />
      )}
    </DragPreview>
  );
};

interface MountStatusProps {
  readonly controller: MountController;
  /** Digits typed so far. */
  readonly typed: string;
}

/** Overlays of the mount: drag preview, typed number, slow reorder; and a live region for screen readers. */
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
      <ImageDragPreview drag={controller.drag} />
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
