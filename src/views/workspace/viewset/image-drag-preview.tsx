import { useTranslation } from 'react-i18next';
import { DragPreview } from '../../ui/drag-preview.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { useImageDrag } from '../image-transfer.tsx';
import { useMountTexts } from './mount-texts.ts';

/** The dragged image under the pointer. */
export const ImageDragPreview = () => {
  const { t } = useTranslation('viewset');
  const texts = useMountTexts();
  const drag = useImageDrag();
  const image = drag.dragged?.image;
  return (
    <DragPreview drag={drag}>
      {image && (
        <Thumbnail
          link={image.activeImageThumbLink}
          kind={image.isVideo ? 'video' : image.kind}
          words={{ pending: t('thumbnailPending'), failed: t('thumbnailFailed'), document: texts.document(image) }}
        />
      )}
    </DragPreview>
  );
};
