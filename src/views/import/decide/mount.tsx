import { Button, VisuallyHidden } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconEraser from '@tabler/icons-react/dist/esm/icons/IconEraser.mjs';
import IconWand from '@tabler/icons-react/dist/esm/icons/IconWand.mjs';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportFile } from '../../../../contract/imports.ts';
import type { Slot, Template } from '../../../../contract/viewsets.ts';
import { DragPreview } from '../../ui/drag-preview.tsx';
import { IconAlert } from '../../ui/icon-alert.tsx';
import { inOrder } from '../../ui/slot-neighbours.ts';
import { useDragStart } from '../../ui/use-drag-start.ts';
import { FileThumbnail, useFileText } from './file-thumbnail.tsx';
import { type Links, linksWithin } from './links.rules.ts';
import { LooseFiles } from './loose-files.tsx';
import classes from './mount.module.css';
import { type FileMover, useFileMover } from './use-file-mover.ts';

interface SlotOfMountProps {
  readonly slot: Slot;
  readonly size: { readonly width: number; readonly height: number };
  readonly file: ImportFile | null;
  readonly mover: FileMover;
  /** The one slot with tabindex 0. */
  readonly reachable: boolean;
  readonly onReached: () => void;
}

/** A slot of the chosen template with its file. */
const SlotOfMount = ({ slot, size, file, mover, reachable, onReached }: SlotOfMountProps) => {
  const fileText = useFileText();
  const { itemIndex } = slot;
  const pickUp = useDragStart((pointer) => file && mover.startDrag({ fileId: file.id, from: itemIndex }, pointer));
  const target = mover.drag.target;
  const caution = fileText.caution(slot, file);
  const teeth = fileText.toothText(slot.teeth);
  const name = fileText.slotName(slot, file);
  return (
    <div
      role="option"
      aria-label={name}
      aria-selected={mover.picked !== null && mover.picked.from === itemIndex}
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
      data-held={(file && (mover.picked?.fileId ?? mover.drag.dragged?.fileId) === file.id) || undefined}
      data-target={(target?.kind === 'slot' && target.itemIndex === itemIndex) || undefined}
      data-awaits={mover.picked !== null || undefined}
      data-caution={caution !== null || undefined}
      onFocus={onReached}
      onClick={() => mover.pressSlot(slot)}
      onKeyDown={(event) => mover.onSlotKey(event, slot)}
      onPointerDown={file ? pickUp.onPointerDown : undefined}
    >
      {file && <FileThumbnail file={file} rotation={slot.rotation} flipped={slot.horizontalFlip} />}
      <span className={classes.order}>{slot.order}</span>
      {teeth && <span className={classes.teeth}>{teeth}</span>}
      {caution && <IconAlertTriangle className={classes.caution} aria-hidden="true" />}
    </div>
  );
};

interface MountProps {
  readonly template: Template;
  readonly files: readonly ImportFile[];
  readonly links: Links;
  /** The server is placing the files. */
  readonly placing: boolean;
  readonly onLinks: (links: Links) => void;
  /** Requests automatic placement by the server. */
  readonly onAutoPlace: () => void;
}

/** Shows the chosen template with files in its slots, and the tray of files without a slot below. */
export const Mount = ({ template, files, links: given, placing, onLinks, onAutoPlace }: MountProps) => {
  const { t } = useTranslation('import-decide');
  const fileText = useFileText();
  const container = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<number | null>(null);
  const fileOf = new Map(files.map((file) => [file.id, file]));
  const slots = inOrder(template.viewSetItems);
  const links = linksWithin(given, slots, new Set(fileOf.keys()));
  const placed = new Set(Object.values(links));
  const loose = files.filter(({ id }) => !placed.has(id));
  const mover = useFileMover({ slots, links, tray: loose.map(({ id }) => id), container, onLinks });
  const inSlot = (itemIndex: number) => fileOf.get(links[String(itemIndex)] ?? '') ?? null;
  const reachable = slots.some(({ itemIndex }) => itemIndex === reached) ? reached : slots[0]?.itemIndex;
  const cautions = slots.flatMap((slot) => fileText.caution(slot, inSlot(slot.itemIndex)) ?? []);
  const dragged = fileOf.get(mover.drag.dragged?.fileId ?? '');
  return (
    <div ref={container} className={classes.container}>
      <div className={classes.tools}>
        <span className={classes.count}>
          {placing ? t('placing') : t('filled', { filled: placed.size, slots: slots.length })}
        </span>
        <Button variant="subtle" size="compact-sm" leftSection={<IconWand />} disabled={placing} onClick={onAutoPlace}>
          {t('place')}
        </Button>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconEraser />}
          disabled={placed.size === 0}
          onClick={() => onLinks({})}
        >
          {t('emptyAll')}
        </Button>
      </div>
      <div className={classes.black} data-on-black>
        <div
          className={classes.mount}
          style={{ '--w': template.width, '--h': template.height }}
          role="listbox"
          aria-label={t('slotsOf', { name: template.name })}
          aria-busy={placing}
        >
          {slots.map((slot) => (
            <SlotOfMount
              key={slot.itemIndex}
              slot={slot}
              size={template}
              file={inSlot(slot.itemIndex)}
              mover={mover}
              reachable={slot.itemIndex === reachable}
              onReached={() => setReached(slot.itemIndex)}
            />
          ))}
        </div>
      </div>
      <p className={classes.hint} data-holding={mover.picked !== null || undefined}>
        {mover.picked ? t('keyboardHint') : t('mountHint')}
      </p>
      {cautions.map((caution) => (
        <IconAlert key={caution} tone="caution">
          {caution}
        </IconAlert>
      ))}
      <LooseFiles files={loose} mover={mover} />
      <DragPreview drag={mover.drag}>{dragged && <FileThumbnail file={dragged} />}</DragPreview>
      <VisuallyHidden role="status" aria-live="polite">
        {fileText.saidText(mover.announcement)}
      </VisuallyHidden>
    </div>
  );
};
