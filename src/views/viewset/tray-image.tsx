import type { RefCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImageInfo } from '../../../contract/images.ts';
import { Thumbnail } from '../parts/thumbnail.tsx';
import type { Pointer } from '../parts/use-carry.ts';
import { usePickUp } from '../parts/use-pick-up.ts';
import { useDeskTexts } from './desk-texts.ts';
import classes from './tray.module.css';

interface TrayImageProps {
  readonly image: ImageInfo;
  /** In the tray, from 1. */
  readonly place: number;
  readonly selected: boolean;
  readonly reachable: boolean;
  readonly cut: boolean;
  readonly element: RefCallback<HTMLElement>;
  readonly onChoose: () => void;
  readonly onOpen: () => void;
  readonly onPickUp: (pointer: Pointer) => void;
}

export const TrayImage = (props: TrayImageProps) => {
  const { image, place, selected, reachable, cut, element, onChoose, onOpen, onPickUp } = props;
  const { t } = useTranslation('viewset');
  const texts = useDeskTexts();
  const pickUp = usePickUp(onPickUp);
  const name = texts.trayName(image, place);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys of the tray are heard in one place (use-mount-keys.ts).
    <div
      ref={element}
      role="option"
      aria-label={name}
      aria-selected={selected}
      tabIndex={reachable ? 0 : -1}
      title={name}
      className={classes.image}
      data-cut={cut || undefined}
      onFocus={selected ? undefined : onChoose}
      onClick={onChoose}
      onDoubleClick={onOpen}
      onPointerDown={pickUp.onPointerDown}
    >
      {image.activeImageThumbLink === 'error' ? (
        <span className={classes.failed}>{t('thumbnailFailed')}</span>
      ) : (
        <Thumbnail
          link={image.activeImageThumbLink}
          kind={image.kind}
          words={{ pending: t('thumbnailPending'), failed: t('thumbnailFailed'), document: t('document') }}
          rotation={image.display?.rotation ?? 0}
          flipped={image.display?.horizontalFlip ?? false}
        />
      )}
      <span className={classes.number}>{place}</span>
    </div>
  );
};
