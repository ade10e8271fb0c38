import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Viewset } from '../../../../contract/viewsets.ts';
import type { Stage } from '../../../viewer/index.ts';
import type { ShownContent } from '../../app/shown-content.ts';
import { arrowDirections, inOrder, neighbourOf } from '../../ui/slot-neighbours.ts';
import { pairOf } from '../patient/content.ts';
import { useEarlierText } from '../viewer/prior-bar.tsx';
import classes from './mount.module.css';
import { slotOfImage } from './mount-actions.ts';
import { type MountTransform, placeMount, useDrawnImages } from './mount-on-stage.ts';
import type { MountPart } from './mount-pair-layout.ts';
import { SlotView } from './slot-view.tsx';

interface MountPairOverlayProps {
  readonly content: Extract<ShownContent, { kind: 'mounts' }>;
  readonly parts: readonly [MountPart, MountPart];
  readonly stage: Stage;
  /** Position of both mounts on the stage in CSS pixels, and CSS pixels per unit. */
  readonly transform: MountTransform;
  /** Returns whether an image was drawn before the slots were rendered. */
  readonly isDrawn: (imageUid: string) => boolean;
  readonly activeUid: string | null;
  readonly onChoose: (imageUid: string) => void;
  readonly onOpen: (imageUid: string) => void;
}

const transformOf = ({ left, top, scale }: MountTransform, part: MountPart): MountTransform => ({
  left: left + part.x * scale,
  top: top + part.y * scale,
  scale: scale * part.scale,
});

/** Returns the image that a key goes to within a mount; null for other keys and at the edges. */
const imageAtKey = ({ viewSetItems }: Viewset, key: string, activeUid: string | null): string | null => {
  const filled = inOrder(viewSetItems).filter(({ activeImage }) => activeImage !== null);
  if (key === 'Home') return filled[0]?.activeImage?.uid ?? null;
  if (key === 'End') return filled.at(-1)?.activeImage?.uid ?? null;
  const direction = arrowDirections[key];
  const from = filled.find(({ activeImage }) => activeImage?.uid === activeUid);
  return (direction && from && neighbourOf(filled, from, direction)?.activeImage?.uid) ?? null;
};

/** Slots of a mount and of an earlier one above the canvas. The slots of a pair are selected together. */
export const MountPairOverlay = (props: MountPairOverlayProps) => {
  const { content, parts, stage, transform, isDrawn, activeUid, onChoose, onOpen } = props;
  const { viewsets, prior } = content;
  const { t } = useTranslation('viewer');
  const earlierText = useEarlierText();
  const frame = useRef<HTMLDivElement>(null);
  const slots = useRef(new Map<string, HTMLElement>());
  const drawn = useDrawnImages(stage, viewsets, isDrawn);
  const putAll = useEffectEvent((next: MountTransform) => {
    const mounts = frame.current?.querySelectorAll<HTMLElement>(':scope > [role=listbox]') ?? [];
    for (const [index, element] of [...mounts].entries())
      placeMount(element, transformOf(next, parts[index === 0 ? 0 : 1]));
  });
  useLayoutEffect(() => putAll(transform), [transform, parts]);
  useEffect(() => stage.on('mount.drawn', (next) => putAll(next)), [stage]);

  // Focus follows the selection while the keyboard is here, and on the canvas.
  useEffect(() => {
    const active = document.activeElement;
    const isHere = frame.current?.contains(active) || active === document.body;
    if (activeUid && isHere) slots.current.get(activeUid)?.focus({ preventScroll: true });
  }, [activeUid]);

  const pair = pairOf(prior, activeUid);
  const partner = pair && (pair.currentUid === activeUid ? pair.priorUid : pair.currentUid);
  const currentMount = viewsets.find(({ viewSetUuid }) => viewSetUuid === prior.currentId) ?? viewsets[0];
  const isActiveCurrent = activeUid !== null && slotOfImage(currentMount, activeUid) !== null;
  const onKeyDown = (event: KeyboardEvent, viewset: Viewset, selectedUid: string | null) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const next = imageAtKey(viewset, event.key, selectedUid);
    if (next) onChoose(next);
    if (next || event.key in arrowDirections) event.preventDefault();
  };
  return (
    <div ref={frame} className={classes.frame} data-on-black>
      {viewsets.map((viewset) => {
        const isCurrent = viewset.viewSetUuid === prior.currentId;
        const [day, text] = isCurrent
          ? [prior.currentDay, t('mountCurrent')]
          : [prior.priorDay, earlierText(prior.priorDay, prior.currentDay)];
        const selected = isCurrent === isActiveCurrent ? activeUid : partner;
        const items = inOrder(viewset.viewSetItems);
        const reachable = selected ?? items.find(({ activeImage }) => activeImage)?.activeImage?.uid;
        return (
          <div
            key={viewset.viewSetUuid}
            className={classes.mount}
            style={{ '--w': viewset.width, '--h': viewset.height }}
            role="listbox"
            tabIndex={-1}
            aria-label={t('mountSide', { name: viewset.name, day, text })}
            data-mount
            onKeyDown={(event) => onKeyDown(event, viewset, selected)}
            onFocus={(event) => {
              const index = event.target.getAttribute('data-drop-slot');
              const uid = items.find(({ itemIndex }) => String(itemIndex) === index)?.activeImage?.uid;
              if (uid && uid !== selected) onChoose(uid);
            }}
          >
            <p className={classes.heading} aria-hidden="true">
              <b>{viewset.name}</b>
              <time dateTime={day}>{day}</time>
              <span>{text}</span>
            </p>
            {items.map((item) => {
              const uid = item.activeImage?.uid ?? null;
              // An image of both mounts is drawn in the current one.
              const isElsewhere = !isCurrent && uid !== null && slotOfImage(currentMount, uid) !== null;
              return (
                <SlotView
                  key={item.itemIndex}
                  item={item}
                  selected={uid !== null && uid === selected}
                  reachable={uid !== null && uid === reachable}
                  drawn={uid !== null && drawn.has(uid) && !isElsewhere}
                  cut={false}
                  target={false}
                  element={(next) => {
                    if (uid && !isElsewhere && next) slots.current.set(uid, next);
                    else if (uid && !isElsewhere) slots.current.delete(uid);
                  }}
                  onPress={() => uid && onChoose(uid)}
                  onDragStart={() => undefined}
                  onOpen={() => uid && onOpen(uid)}
                />
              );
            })}
          </div>
        );
      })}
    </div>
  );
};
