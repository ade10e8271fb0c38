import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import type { ImportFile } from '../../../../contract/imports.ts';
import type { Slot } from '../../../../contract/viewsets.ts';
import { usePickUp } from '../../parts/use-pick-up.ts';
import { FileThumbnail } from './file-thumbnail.tsx';
import classes from './mount.module.css';
import { useFileWords } from './use-file-words.ts';
import type { Hand } from './use-hand.ts';

interface SlotOfMountProps {
  readonly slot: Slot;
  readonly size: { readonly width: number; readonly height: number };
  readonly file: ImportFile | null;
  readonly hand: Hand;
  /** The one slot that the Tab key comes to. */
  readonly reachable: boolean;
  readonly onReached: () => void;
}

/** A slot of the template that was chosen, with the file that goes into it. */
export const SlotOfMount = ({ slot, size, file, hand, reachable, onReached }: SlotOfMountProps) => {
  const words = useFileWords();
  const { itemIndex } = slot;
  const pickUp = usePickUp((pointer) => file && hand.startCarry({ fileId: file.id, from: itemIndex }, pointer));
  const target = hand.carry.target;
  const caution = words.caution(slot, file);
  const teeth = words.toothText(slot.teeth);
  const name = words.slotName(slot, file);
  return (
    <div
      role="option"
      aria-label={name}
      aria-selected={hand.held !== null && hand.held.from === itemIndex}
      tabIndex={reachable ? 0 : -1}
      title={file ? name : undefined}
      className={classes.slot}
      style={{
        left: `${(slot.xPos / size.width) * 100}%`,
        top: `${(slot.yPos / size.height) * 100}%`,
        width: `${(slot.width / size.width) * 100}%`,
        height: `${(slot.height / size.height) * 100}%`,
      }}
      data-drop-slot={itemIndex}
      data-empty={!file || undefined}
      data-held={(file && (hand.held?.fileId ?? hand.carry.carried?.fileId) === file.id) || undefined}
      data-target={(target?.kind === 'slot' && target.itemIndex === itemIndex) || undefined}
      data-awaits={hand.held !== null || undefined}
      data-caution={caution !== null || undefined}
      onFocus={onReached}
      onClick={() => hand.pressSlot(slot)}
      onKeyDown={(event) => hand.onSlotKey(event, slot)}
      onPointerDown={file ? pickUp.onPointerDown : undefined}
    >
      {file && <FileThumbnail file={file} rotation={slot.rotation} flipped={slot.horizontalFlip} />}
      <span className={classes.order}>{slot.order}</span>
      {teeth && <span className={classes.teeth}>{teeth}</span>}
      {caution && <IconAlertTriangle className={classes.caution} aria-hidden="true" />}
    </div>
  );
};
