import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Stage } from '../../../viewer/index.ts';
import { inOrder } from '../../ui/slot-neighbours.ts';
import { type Pointer, sameTarget } from '../../ui/use-drag.ts';
import classes from './mount.module.css';
import { itemOf, type Point, slotAt, slotOfImage } from './mount-actions.ts';
import { type MountTransform, placeMount, useDrawnImages } from './mount-on-stage.ts';
import { SlotView } from './slot-view.tsx';
import type { MountController } from './use-mount-controller.ts';

interface MountOverlayProps {
  readonly controller: MountController;
  readonly stage: Stage;
  readonly transform: MountTransform;
  /** Returns whether an image was drawn before the slots were rendered. */
  readonly isDrawn: (imageUid: string) => boolean;
  readonly onOpen: (imageUid: string) => void;
}

/** Returns whether a menu item is in a menu that is still open; a menu that is closing keeps focus for a moment. */
const isInOpenMenu = (item: Element): boolean => {
  const opener = item.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return document.getElementById(opener ?? '')?.getAttribute('aria-expanded') === 'true';
};

/** Slots above the mount's canvas. They follow the canvas in the same frame and hold the focus; the canvas handles the pointer. */
export const MountOverlay = ({ controller, stage, transform, isDrawn, onOpen }: MountOverlayProps) => {
  const { t } = useTranslation('viewset');
  const { viewset, slot, focusZone, drag } = controller;
  const element = useRef<HTMLDivElement>(null);
  const slots = useRef(new Map<number, HTMLElement>());
  const shownTransform = useRef<MountTransform>(transform);
  const drawn = useDrawnImages(stage, [viewset], isDrawn);
  const press = useEffectEvent((point: Point) => {
    focusZone.current = 'mount';
    controller.chooseSlot(slotAt(viewset.viewSetItems, point)?.itemIndex ?? null);
  });
  const dragImage = useEffectEvent((imageUid: string, pointer: Pointer) => {
    const item = slotOfImage(viewset, imageUid);
    if (item?.activeImage) drag.start({ image: item.activeImage, from: item.itemIndex }, pointer);
  });
  const slotElementAt = useEffectEvent((point: Point) => {
    const item = slotAt(viewset.viewSetItems, point);
    return item ? slots.current.get(item.itemIndex) : undefined;
  });

  useLayoutEffect(() => {
    shownTransform.current = transform;
    if (element.current) placeMount(element.current, transform);
  }, [transform]);

  useEffect(() => {
    const stops = [
      stage.on('mount.drawn', (next) => {
        shownTransform.current = next;
        if (element.current) placeMount(element.current, next);
      }),
      stage.on('mount.pressed', (point) => press(point)),
      stage.on('image.dragged', ({ id, ...pointer }) => dragImage(id, pointer)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [stage]);

  // Focus follows the selection while the keyboard is in the mount.
  useEffect(() => {
    const active = document.activeElement;
    const isHere = element.current?.contains(active) || (active === document.body && focusZone.current === 'mount');
    if (slot !== null && isHere) slots.current.get(slot)?.focus({ preventScroll: true });
  }, [slot, focusZone]);

  // A newly opened mount takes the focus unless the user is elsewhere.
  const { viewSetUuid } = viewset;
  useEffect(() => {
    const active = document.activeElement;
    const isComing = active === document.body || (active?.closest('a, [role=menuitem]') && !isInOpenMenu(active));
    const first = element.current?.querySelector<HTMLElement>('[tabindex="0"]');
    if (viewSetUuid && isComing) first?.focus({ preventScroll: true });
  }, [viewSetUuid]);

  // The canvas receives the pointer, so the hovered slot is computed.
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
      const { scale } = shownTransform.current;
      const x = (event.clientX - left - shownTransform.current.left) / scale;
      const y = (event.clientY - top - shownTransform.current.top) / scale;
      hover(slotElementAt({ x, y }));
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
        className={classes.mount}
        style={{ '--w': viewset.width, '--h': viewset.height }}
        role="listbox"
        aria-label={t('slotsOf', { name: viewset.name })}
        data-mount
        onFocus={(event) => {
          focusZone.current = 'mount';
          const index = event.target.getAttribute('data-drop-slot');
          if (slot === null && index) controller.chooseSlot(Number(index));
        }}
      >
        {items.map((item) => (
          <SlotView
            key={item.itemIndex}
            item={item}
            selected={item.itemIndex === slot}
            reachable={item.itemIndex === reachable}
            drawn={item.activeImage !== null && drawn.has(item.activeImage.uid)}
            cut={item.activeImage !== null && controller.isCut(item.activeImage.uid)}
            target={sameTarget(drag.target, { kind: 'slot', itemIndex: item.itemIndex })}
            element={(next) => {
              if (next) slots.current.set(item.itemIndex, next);
              else slots.current.delete(item.itemIndex);
            }}
            onPress={() => controller.chooseSlot(item.itemIndex)}
            onDragStart={(pointer) =>
              item.activeImage && drag.start({ image: item.activeImage, from: item.itemIndex }, pointer)
            }
            onOpen={() => item.activeImage && onOpen(item.activeImage.uid)}
          />
        ))}
      </div>
    </div>
  );
};
