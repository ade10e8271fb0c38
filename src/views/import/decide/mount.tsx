import { Button, VisuallyHidden } from '@mantine/core';
import IconEraser from '@tabler/icons-react/dist/esm/icons/IconEraser.mjs';
import IconWand from '@tabler/icons-react/dist/esm/icons/IconWand.mjs';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportFile } from '../../../../contract/imports.ts';
import type { Template } from '../../../../contract/viewsets.ts';
import { CarryGhost } from '../../parts/carry-ghost.tsx';
import { IconAlert } from '../../parts/icon-alert.tsx';
import { inOrder } from '../../parts/slot-neighbours.ts';
import { FileThumbnail } from './file-thumbnail.tsx';
import { type Links, linksWithin } from './links.rules.ts';
import { LooseFiles } from './loose-files.tsx';
import classes from './mount.module.css';
import { SlotOfMount } from './slot-of-mount.tsx';
import { useFileWords } from './use-file-words.ts';
import { useHand } from './use-hand.ts';

interface MountProps {
  readonly template: Template;
  readonly files: readonly ImportFile[];
  readonly links: Links;
  /** The archive is at it. */
  readonly placing: boolean;
  readonly onLinks: (links: Links) => void;
  /** The archive is to place the files by what they say. */
  readonly onPlace: () => void;
}

/** The template that was chosen, its slots filled with the files that go there; below it the files that go into none. */
export const Mount = ({ template, files, links: given, placing, onLinks, onPlace }: MountProps) => {
  const { t } = useTranslation('import-decide');
  const words = useFileWords();
  const room = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<number | null>(null);
  const fileOf = new Map(files.map((file) => [file.id, file]));
  const slots = inOrder(template.viewSetItems);
  const links = linksWithin(given, slots, new Set(fileOf.keys()));
  const placed = new Set(Object.values(links));
  const loose = files.filter(({ id }) => !placed.has(id));
  const hand = useHand({ slots, links, tray: loose.map(({ id }) => id), room, onLinks });
  const inSlot = (itemIndex: number) => fileOf.get(links[String(itemIndex)] ?? '') ?? null;
  const reachable = slots.some(({ itemIndex }) => itemIndex === reached) ? reached : slots[0]?.itemIndex;
  const cautions = slots.flatMap((slot) => words.caution(slot, inSlot(slot.itemIndex)) ?? []);
  const carried = fileOf.get(hand.carry.carried?.fileId ?? '');
  return (
    <div ref={room} className={classes.room}>
      <div className={classes.tools}>
        <span className={classes.count}>
          {placing ? t('placing') : t('filled', { filled: placed.size, slots: slots.length })}
        </span>
        <Button variant="subtle" size="compact-sm" leftSection={<IconWand />} disabled={placing} onClick={onPlace}>
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
              hand={hand}
              reachable={slot.itemIndex === reachable}
              onReached={() => setReached(slot.itemIndex)}
            />
          ))}
        </div>
      </div>
      <p className={classes.hint} data-holding={hand.held !== null || undefined}>
        {hand.held ? t('heldHint') : t('mountHint')}
      </p>
      {cautions.map((caution) => (
        <IconAlert key={caution} tone="caution">
          {caution}
        </IconAlert>
      ))}
      <LooseFiles files={loose} hand={hand} />
      <CarryGhost carry={hand.carry}>{carried && <FileThumbnail file={carried} />}</CarryGhost>
      <VisuallyHidden role="status" aria-live="polite">
        {words.saidText(hand.said)}
      </VisuallyHidden>
    </div>
  );
};
