import type { RefCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewsetItem } from '../../../contract/viewsets.ts';
import { Thumbnail } from '../parts/thumbnail.tsx';
import type { Pointer } from '../parts/use-carry.ts';
import { usePickUp } from '../parts/use-pick-up.ts';
import classes from './board.module.css';
import { useDeskTexts } from './desk-texts.ts';

interface SlotFaceProps {
  readonly item: ViewsetItem;
  readonly selected: boolean;
  /** The one slot that the Tab key comes to. */
  readonly reachable: boolean;
  /** Its own pixels are on the canvas below; until then the thumbnail stands for them. */
  readonly drawn: boolean;
  readonly cut: boolean;
  /** What is carried would land here. */
  readonly target: boolean;
  readonly element: RefCallback<HTMLElement>;
  /** The canvas shows no documents: their slots have the pointer themselves. */
  readonly onPress: () => void;
  readonly onPickUp: (pointer: Pointer) => void;
  readonly onOpen: () => void;
}

/** How the image is turned now: as it was left, else as the slot asks. */
const turnOf = ({ display, rotation, horizontalFlip }: ViewsetItem) =>
  display ? { rotation: display.rotation, flipped: display.horizontalFlip } : { rotation, flipped: horizontalFlip };

/** One slot above the canvas: its outline and number when empty, its frame when something hangs there. */
export const SlotFace = (props: SlotFaceProps) => {
  const { item, selected, reachable, drawn, cut, target, element, onPress, onPickUp, onOpen } = props;
  const { t } = useTranslation('viewset');
  const texts = useDeskTexts();
  const image = item.activeImage;
  const teeth = texts.teeth(item);
  const isDocument = image?.kind === 'document';
  const pickUp = usePickUp(onPickUp);
  const failed = image?.activeImageThumbLink === 'error' && !drawn && !isDocument;
  return (
    <div
      ref={element}
      role="option"
      aria-label={texts.slotName(item)}
      aria-selected={selected}
      tabIndex={reachable ? 0 : -1}
      className={classes.slot}
      style={{ '--x': item.xPos, '--y': item.yPos, '--w': item.width, '--h': item.height }}
      data-drop-slot={item.itemIndex}
      data-empty={!image || undefined}
      data-document={isDocument || undefined}
      data-cut={cut || undefined}
      data-target={target || undefined}
      {...(isDocument && { onPointerDown: pickUp.onPointerDown, onClick: onPress, onDoubleClick: onOpen })}
    >
      {image && !drawn && !failed && (
        <Thumbnail
          link={image.activeImageThumbLink}
          kind={image.kind}
          words={{ pending: t('thumbnailPending'), failed: t('thumbnailFailed'), document: t('document') }}
          {...turnOf(item)}
        />
      )}
      {failed && <span className={classes.failed}>{t('thumbnailFailed')}</span>}
      <span className={classes.number}>{item.order}</span>
      {teeth && <span className={classes.teeth} data-teeth={teeth} />}
    </div>
  );
};
