import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Stage } from '../../viewer/index.ts';
import { inOrder } from '../parts/slot-neighbours.ts';
import { sameTarget } from '../parts/use-carry.ts';
import classes from './board.module.css';
import { SlotFace } from './slot-face.tsx';
import { itemOf, slotAt, slotOfImage } from './slot-geometry.ts';
import type { Desk } from './use-desk.ts';

interface BoardOverlayProps {
  readonly desk: Desk;
  readonly stage: Stage;
  /** Where the mount lies on the stage now: CSS pixels, and CSS pixels per unit of the mount. */
  readonly board: { readonly left: number; readonly top: number; readonly scale: number };
  /** Was it on the screen before the slots were? */
  readonly isDrawn: (imageUid: string) => boolean;
  readonly onOpen: (imageUid: string) => void;
}

type BoardPlace = BoardOverlayProps['board'];

/** A menu that somebody is reading; one from which was just chosen is on its way out. */
const isInOpenMenu = (item: Element): boolean => {
  const opener = item.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return document.getElementById(opener ?? '')?.getAttribute('aria-expanded') === 'true';
};

const put = (element: HTMLElement, { left, top, scale }: BoardPlace) => {
  element.style.transform = `translate(${left}px, ${top}px)`;
  element.style.setProperty('--s', String(scale));
};

/** The slots of a mount above its canvas. It follows the canvas in the same frame, and holds the focus; the canvas has the pointers. */
export const BoardOverlay = ({ desk, stage, board, isDrawn, onOpen }: BoardOverlayProps) => {
  const { t } = useTranslation('viewset');
  const { viewset, slot, zone, carry, cut } = desk;
  const element = useRef<HTMLDivElement>(null);
  const slots = useRef(new Map<number, HTMLElement>());
  const place = useRef<BoardPlace>(board);
  const latest = useRef(desk);
  const [drawn, setDrawn] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        viewset.viewSetItems.flatMap(({ activeImage }) =>
          activeImage && isDrawn(activeImage.uid) ? activeImage.uid : [],
        ),
      ),
  );
  useEffect(() => {
    latest.current = desk;
  });

  useLayoutEffect(() => {
    place.current = board;
    if (element.current) put(element.current, board);
  }, [board]);

  useEffect(() => {
    const stops = [
      stage.on('board.drawn', (next) => {
        place.current = next;
        if (element.current) put(element.current, next);
      }),
      stage.on('view.drawn', ({ id }) => setDrawn((before) => (before.has(id) ? before : new Set(before).add(id)))),
      stage.on('board.pressed', (point) => {
        const { chooseSlot, viewset: now } = latest.current;
        latest.current.zone.current = 'mount';
        chooseSlot(slotAt(now.viewSetItems, point)?.itemIndex ?? null);
      }),
      stage.on('image.carried', ({ id, ...pointer }) => {
        const item = slotOfImage(latest.current.viewset, id);
        if (item?.activeImage) latest.current.carry.start({ image: item.activeImage, from: item.itemIndex }, pointer);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [stage]);

  // The focus goes with the selection, as long as the keyboard is in the mount.
  useEffect(() => {
    const active = document.activeElement;
    const isHere = element.current?.contains(active) || (active === document.body && zone.current === 'mount');
    if (slot !== null && isHere) slots.current.get(slot)?.focus({ preventScroll: true });
  }, [slot, zone]);

  // A mount that was just opened is where the keyboard goes on, unless the person is already somewhere else.
  const { viewSetUuid } = viewset;
  useEffect(() => {
    const active = document.activeElement;
    const isComing = active === document.body || (active?.closest('a, [role=menuitem]') && !isInOpenMenu(active));
    const first = element.current?.querySelector<HTMLElement>('[tabindex="0"]');
    if (viewSetUuid && isComing) first?.focus({ preventScroll: true });
  }, [viewSetUuid]);

  // The canvas has the pointer: which slot lies under it is worked out, not asked of the browser.
  useEffect(() => {
    const host = element.current?.parentElement?.parentElement;
    if (!host) return;
    let hovered: HTMLElement | undefined;
    const hover = (next: HTMLElement | undefined) => {
      if (next === hovered) return;
      hovered?.removeAttribute('data-hover');
      next?.setAttribute('data-hover', '');
      hovered = next;
    };
    const look = (event: PointerEvent) => {
      if (event.pointerType === 'touch' || event.buttons !== 0) return;
      const { left, top } = host.getBoundingClientRect();
      const { scale } = place.current;
      const point = {
        x: (event.clientX - left - place.current.left) / scale,
        y: (event.clientY - top - place.current.top) / scale,
      };
      const item = slotAt(latest.current.viewset.viewSetItems, point);
      hover(item ? slots.current.get(item.itemIndex) : undefined);
    };
    const leave = () => hover(undefined);
    host.addEventListener('pointermove', look);
    host.addEventListener('pointerleave', leave);
    return () => {
      host.removeEventListener('pointermove', look);
      host.removeEventListener('pointerleave', leave);
    };
  }, []);

  const items = inOrder(viewset.viewSetItems);
  const reachable = itemOf(viewset, slot) ? slot : items[0]?.itemIndex;
  return (
    <div className={classes.frame} data-on-black>
      <div
        ref={element}
        className={classes.board}
        style={{ '--w': viewset.width, '--h': viewset.height }}
        role="listbox"
        aria-label={t('slotsOf', { name: viewset.name })}
        data-mount
        onFocus={(event) => {
          zone.current = 'mount';
          const index = event.target.getAttribute('data-drop-slot');
          if (slot === null && index) desk.chooseSlot(Number(index));
        }}
      >
        {items.map((item) => (
          <SlotFace
            key={item.itemIndex}
            item={item}
            selected={item.itemIndex === slot}
            reachable={item.itemIndex === reachable}
            drawn={item.activeImage !== null && drawn.has(item.activeImage.uid)}
            cut={item.activeImage !== null && cut?.image.uid === item.activeImage.uid}
            target={sameTarget(carry.target, { kind: 'slot', itemIndex: item.itemIndex })}
            element={(next) => {
              if (next) slots.current.set(item.itemIndex, next);
              else slots.current.delete(item.itemIndex);
            }}
            onPress={() => desk.chooseSlot(item.itemIndex)}
            onPickUp={(pointer) =>
              item.activeImage && carry.start({ image: item.activeImage, from: item.itemIndex }, pointer)
            }
            onOpen={() => item.activeImage && onOpen(item.activeImage.uid)}
          />
        ))}
      </div>
    </div>
  );
};
