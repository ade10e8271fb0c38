import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Viewset } from '../../../contract/viewsets.ts';
import { useElementSize } from '../parts/element-size.ts';
import { mountFrame, slotFrame } from '../parts/mount-layout.ts';
import { Thumbnail } from '../parts/thumbnail.tsx';
import classes from './mount.module.css';
import { placePath } from './place.ts';

export interface SharpMount {
  readonly viewset: Viewset;
  readonly onDrawn: (uids: ReadonlySet<string>) => void;
}

const none: ReadonlySet<string> = new Set();

interface MountProps {
  readonly viewset: Viewset;
  /** The series segment of the address that one is at. */
  readonly series: string;
  readonly activeImage: string | null;
  /** Draws the images in their own pixels; until it has, thumbnails stand for them. */
  readonly renderSharp: (sharp: SharpMount) => ReactNode;
}

/** A viewset on black: every slot at its place, its image turned as the slot asks. It is looked at, not changed. */
export const Mount = ({ viewset, series, activeImage, renderSharp }: MountProps) => {
  const { t } = useTranslation('patient');
  const { ref, width, height } = useElementSize();
  const frame = mountFrame(viewset, { width, height });
  const whole = slotFrame({ xPos: 0, yPos: 0, width: viewset.width, height: viewset.height }, viewset, frame);
  const [drawn, setDrawn] = useState(none);
  const words = { pending: t('thumbnailPending'), failed: t('thumbnailFailed'), document: t('document') };
  return (
    <section ref={ref} className={classes.mount} aria-label={t('mount', { name: viewset.name })}>
      {width > 0 && (
        <div className={classes.sharp} style={whole}>
          {renderSharp({ viewset, onDrawn: setDrawn })}
        </div>
      )}
      {viewset.viewSetItems.map((item) => {
        const place = slotFrame(item, viewset, frame);
        const image = item.activeImage;
        const teeth = (image && image.teeth.length > 0 ? image.teeth : item.teeth).join(' ');
        if (!image)
          return (
            <div
              key={item.itemIndex}
              className={classes.empty}
              style={place}
              role="img"
              aria-label={t('emptySlot', { order: item.order })}
            >
              <span>{teeth || item.order}</span>
            </div>
          );
        return (
          <Link
            key={item.itemIndex}
            className={classes.slot}
            style={place}
            href={placePath(viewset.patientId, { series, viewsetId: viewset.viewSetUuid, imageUid: image.uid })}
            aria-label={t('openImage', { name: teeth || t('imageNumber', { number: item.order }) })}
            aria-current={image.uid === activeImage || undefined}
          >
            {!drawn.has(image.uid) && (
              <Thumbnail
                link={image.activeImageThumbLink}
                kind={image.kind}
                words={words}
                rotation={item.rotation}
                flipped={item.horizontalFlip}
              />
            )}
            {teeth && <span className={classes.teeth}>{teeth}</span>}
          </Link>
        );
      })}
    </section>
  );
};
