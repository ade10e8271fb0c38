import { type RefCallback, type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** A place in the shown mount. */
export type Place = { readonly kind: 'slot'; readonly itemIndex: number } | { readonly kind: 'tray' };
/** `mount`: the row of a mount in a list. */
export type Target = Place | { readonly kind: 'mount'; readonly viewsetId: string };

export interface Pointer {
  readonly pointerId: number;
  readonly clientX: number;
  readonly clientY: number;
}

export interface Drag<Dragged> {
  readonly dragged: Dragged | null;
  /** The accepting target under the pointer. */
  readonly target: Target | null;
  /** Follows the pointer until it is released or cancelled, or Escape is pressed. */
  readonly start: (what: Dragged, pointer: Pointer) => void;
  /** Ref of the drag preview. */
  readonly previewRef: RefCallback<HTMLElement>;
}

interface DragOptions<Dragged> {
  readonly accepts: (dragged: Dragged, target: Target) => boolean;
  readonly onDrop: (dragged: Dragged, target: Target) => void;
  /** The part of the page with drop targets; the whole page when omitted. */
  readonly scope?: RefObject<Element | null>;
}

export const sameTarget = (one: Target | null, other: Target | null): boolean =>
  one === other ||
  (one?.kind === 'tray' && other?.kind === 'tray') ||
  (one?.kind === 'slot' && other?.kind === 'slot' && one.itemIndex === other.itemIndex) ||
  (one?.kind === 'mount' && other?.kind === 'mount' && one.viewsetId === other.viewsetId);

/** Drop targets are marked with `data-drop-slot="3"`, `data-drop-tray` or `data-drop-mount="viewset id"`. */
const targetAt = (x: number, y: number, scope: Element | null): Target | null => {
  const element = document.elementFromPoint(x, y);
  if (scope && !scope.contains(element)) return null;
  const slot = element?.closest('[data-drop-slot]')?.getAttribute('data-drop-slot');
  if (slot) return { kind: 'slot', itemIndex: Number(slot) };
  const viewsetId = element?.closest('[data-drop-mount]')?.getAttribute('data-drop-mount');
  if (viewsetId) return { kind: 'mount', viewsetId };
  return element?.closest('[data-drop-tray]') ? { kind: 'tray' } : null;
};

/** Distance from the end of a strip or list that scrolls it, and pixels per frame. */
const scrollZone = 48;
const scrollStep = 14;

/** Scrolls the strip or the list under the pointer near its ends. */
const scrollAt = (x: number, y: number) => {
  const under = document.elementFromPoint(x, y);
  const list = under?.closest('[data-drag-scroll]');
  if (list) {
    const { top, bottom } = list.getBoundingClientRect();
    if (y < top + scrollZone) list.scrollTop -= scrollStep;
    else if (y > bottom - scrollZone) list.scrollTop += scrollStep;
  }
  const strip = under?.closest('[data-drop-tray]')?.querySelector('[data-strip]');
  if (!strip) return;
  const { left, right } = strip.getBoundingClientRect();
  if (x < left + scrollZone) strip.scrollLeft -= scrollStep;
  else if (x > right - scrollZone) strip.scrollLeft += scrollStep;
};

/** Drags an item with Pointer Events (mouse, pen, touch). Released outside a target, nothing happens. */
export const useDrag = <Dragged>(options: DragOptions<Dragged>): Drag<Dragged> => {
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const [target, setTarget] = useState<Target | null>(null);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const end = useRef<(() => void) | null>(null);
  const element = useRef<HTMLElement | null>(null);
  const at = useRef({ x: 0, y: 0 });
  useEffect(() => () => end.current?.(), []);

  const place = useCallback(() => {
    if (element.current) element.current.style.transform = `translate(${at.current.x}px, ${at.current.y}px)`;
  }, []);
  const previewRef = useCallback(
    (next: HTMLElement | null) => {
      element.current = next;
      place();
    },
    [place],
  );

  const start = useCallback(
    (what: Dragged, pointer: Pointer) => {
      end.current?.();
      let under: Target | null = null;
      let frame = 0;
      const updateTarget = () => {
        const found = targetAt(at.current.x, at.current.y, latest.current.scope?.current ?? null);
        const next = found && latest.current.accepts(what, found) ? found : null;
        if (sameTarget(under, next)) return;
        under = next;
        setTarget(next);
      };
      const follow = () => {
        scrollAt(at.current.x, at.current.y);
        updateTarget();
        frame = requestAnimationFrame(follow);
      };
      const move = (event: PointerEvent) => {
        if (event.pointerId !== pointer.pointerId) return;
        at.current = { x: event.clientX, y: event.clientY };
        place();
      };
      const finish = () => {
        cancelAnimationFrame(frame);
        window.removeEventListener('pointermove', move, true);
        window.removeEventListener('pointerup', drop, true);
        window.removeEventListener('pointercancel', stop, true);
        window.removeEventListener('keydown', cancelByKey, true);
        window.removeEventListener('blur', finish);
        document.documentElement.removeAttribute('data-dragging');
        end.current = null;
        setDragged(null);
        setTarget(null);
      };
      const drop = (event: PointerEvent) => {
        if (event.pointerId !== pointer.pointerId) return;
        move(event);
        updateTarget();
        finish();
        if (under) latest.current.onDrop(what, under);
      };
      const stop = (event: PointerEvent) => {
        if (event.pointerId === pointer.pointerId) finish();
      };
      const cancelByKey = (event: KeyboardEvent) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopImmediatePropagation();
        finish();
      };
      window.addEventListener('pointermove', move, true);
      window.addEventListener('pointerup', drop, true);
      window.addEventListener('pointercancel', stop, true);
      window.addEventListener('keydown', cancelByKey, true);
      window.addEventListener('blur', finish);
      document.documentElement.setAttribute('data-dragging', '');
      end.current = finish;
      at.current = { x: pointer.clientX, y: pointer.clientY };
      setDragged(what);
      frame = requestAnimationFrame(follow);
    },
    [place],
  );

  return { dragged, target, start, previewRef };
};
