import { Portal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Thumbnail } from '../parts/thumbnail.tsx';
import type { Carry } from '../parts/use-carry.ts';
import type { Carried } from './carried.ts';
import classes from './carry-ghost.module.css';

/** What is carried, under the pointer. */
export const CarryGhost = ({ carry }: { carry: Carry<Carried> }) => {
  const { t } = useTranslation('viewset');
  if (!carry.carried) return null;
  const { image } = carry.carried;
  return (
    <Portal>
      <div ref={carry.ghost} className={classes.ghost} data-homeless={carry.target === null || undefined} aria-hidden>
        <Thumbnail
          link={image.activeImageThumbLink}
          kind={image.kind}
          words={{ pending: t('thumbnailPending'), failed: t('thumbnailFailed'), document: t('document') }}
        />
      </div>
    </Portal>
  );
};
