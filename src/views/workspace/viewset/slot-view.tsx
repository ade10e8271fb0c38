import type { RefCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewsetItem } from '../../../../contract/viewsets.ts';
import { useFileErrorText } from '../../language/file-error-text.ts';
import { ErrorBadge, Thumbnail } from '../../ui/thumbnail.tsx';
import type { Pointer } from '../../ui/use-drag.ts';
import { useDragStart } from '../../ui/use-drag-start.ts';
import { NoteSign, useNoteSignText } from '../notes/note-sign.tsx';
import classes from './mount.module.css';
import { useMountTexts } from './mount-texts.ts';

interface SlotViewProps {
  readonly item: ViewsetItem;
  readonly selected: boolean;
  /** The slot in the tab order. */
  readonly reachable: boolean;
  /** Its pixels are drawn on the canvas; until then the thumbnail is shown. */
  readonly drawn: boolean;
  readonly cut: boolean;
  /** The dragged image would be dropped here. */
  readonly target: boolean;
  readonly element: RefCallback<HTMLElement>;
  /** The canvas draws no documents, so their slots handle the pointer themselves. */
  readonly onPress: () => void;
  readonly onDragStart: (pointer: Pointer) => void;
  readonly onOpen: () => void;
}

/** Returns the saved orientation, else the one of the slot. */
const turnOf = ({ display, rotation, horizontalFlip }: ViewsetItem) =>
  display ? { rotation: display.rotation, flipped: display.horizontalFlip } : { rotation, flipped: horizontalFlip };

/** One slot above the canvas: outline and number when empty, a frame when filled. */
export const SlotView = (props: SlotViewProps) => {
  const { item, selected, reachable, drawn, cut, target, element, onPress, onDragStart, onOpen } = props;
  const { t } = useTranslation('viewset');
  const texts = useMountTexts();
  const image = item.activeImage;
  const teeth = texts.teeth(item);
  const isDocument = image?.kind === 'document';
  const pickUp = useDragStart(onDragStart);
  const errorText = useFileErrorText()(image?.storageFault ?? null);
  const noteText = useNoteSignText()(image?.note ?? null);
  const failed = image?.activeImageThumbLink === 'error' && !drawn && !isDocument && errorText === null;
  return (
    <div
      ref={element}
      role="option"
      aria-label={[texts.slotName(item), noteText, errorText].filter(Boolean).join(', ')}
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
          kind={image.isVideo ? 'video' : image.kind}
          words={{ pending: t('thumbnailPending'), failed: t('thumbnailFailed'), document: texts.document(image) }}
          errorText={errorText}
          {...turnOf(item)}
        />
      )}
      {errorText !== null && drawn && <ErrorBadge text={errorText} />}
      {failed && <span className={classes.failed}>{t('thumbnailFailed')}</span>}
      {noteText !== null && image && (
        <span className={classes.note} title={noteText}>
          <NoteSign note={image.note} iconOnly />
        </span>
      )}
      <span className={classes.number}>{item.order}</span>
      {teeth && <span className={classes.teeth} data-teeth={teeth} />}
    </div>
  );
};
