import { useTranslation } from 'react-i18next';
import { CarryGhost } from '../parts/carry-ghost.tsx';
import { Thumbnail } from '../parts/thumbnail.tsx';
import type { Carry } from '../parts/use-carry.ts';
import type { Carried } from './carried.ts';

/** The image that is carried, under the pointer. */
export const CarriedImage = ({ carry }: { carry: Carry<Carried> }) => {
  const { t } = useTranslation('viewset');
  const image = carry.carried?.image;
  return (
    <CarryGhost carry={carry}>
      {image && (
        <Thumbnail
          link={image.activeImageThumbLink}
          kind={image.kind}
          words={{ pending: t('thumbnailPending'), failed: t('thumbnailFailed'), document: t('document') }}
        />
      )}
    </CarryGhost>
  );
};
