import { type RefCallback, type RefObject, useCallback, useEffect, useRef, useState } from 'react';

export type Target = { readonly kind: 'slot'; readonly itemIndex: number } | { readonly kind: 'tray' };

export interface Pointer {
  readonly pointerId: number;
  readonly clientX: number;
  readonly clientY: number;
}

export interface Carry<Carried> {
  readonly carried: Carried | null;
  /** What lies under the pointer and would take it. */
  readonly target: Target | null;
  /** Follows the pointer from here on, until it is let go, cancelled, or Escape is pressed. */
  readonly start: (what: Carried, pointer: Pointer) => void;
  /** For what is shown under the pointer. */
  readonly ghost: RefCallback<HTMLElement>;
}

interface CarryOptions<Carried> {
  readonly accepts: (carried: Carried, target: Target) => boolean;
  readonly onDrop: (carried: Carried, target: Target) => void;
  /** The part of the page that takes what is carried; without it, all of the page does. */
  readonly room?: RefObject<Element | null>;
}

export const sameTarget = (one: Target | null, other: Target | null): boolean =>
  one === other ||
  (one?.kind === 'tray' && other?.kind === 'tray') ||
  (one?.kind === 'slot' && other?.kind === 'slot' && one.itemIndex === other.itemIndex);

/** Elements say what they take: `data-drop-slot="3"`, `data-drop-tray`. */
const targetAt = (x: number, y: number, room: Element | null): Target | null => {
  const element = document.elementFromPoint(x, y);
  if (room && !room.contains(element)) return null;
  const slot = element?.closest('[data-drop-slot]')?.getAttribute('data-drop-slot');
  if (slot) return { kind: 'slot', itemIndex: Number(slot) };
  return element?.closest('[data-drop-tray]') ? { kind: 'tray' } : null;
};

/** Pixels from the end of a strip within which it scrolls, and how far a frame. */
const scrollZone = 48;
const scrollStep = 14;

/** A strip under the pointer goes on at its ends. */
const scrollAt = (x: number, y: number) => {
  const strip = document.elementFromPoint(x, y)?.closest('[data-drop-tray]')?.querySelector('[data-strip]');
  if (!strip) return;
  const { left, right } = strip.getBoundingClientRect();
  if (x < left + scrollZone) strip.scrollLeft -= scrollStep;
  else if (x > right - scrollZone) strip.scrollLeft += scrollStep;
};

/** Carries something with mouse, pen or finger, by Pointer Events. One at a time; let go outside, nothing happens. */
export const useCarry = <Carried>(options: CarryOptions<Carried>): Carry<Carried> => {
  const [carried, setCarried] = useState<Carried | null>(null);
  const [target, setTarget] = useState<Target | null>(null);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const end = useRef<(() => void) | null>(null);
  const element = useRef<HTMLElement | null>(null);
  const at = useRef({ x: 0, y: 0 });
  useEffect(() => () => end.current?.(), []);

  const place = () => {
    if (element.current) element.current.style.transform = `translate(${at.current.x}px, ${at.current.y}px)`;
  };
  const ghost = useCallback((next: HTMLElement | null) => {
    element.current = next;
    if (next) next.style.transform = `translate(${at.current.x}px, ${at.current.y}px)`;
  }, []);

  const start = (what: Carried, pointer: Pointer) => {
    end.current?.();
    let under: Target | null = null;
    let frame = 0;
    const look = () => {
      const found = targetAt(at.current.x, at.current.y, latest.current.room?.current ?? null);
      const next = found && latest.current.accepts(what, found) ? found : null;
      if (sameTarget(under, next)) return;
      under = next;
      setTarget(next);
    };
    const follow = () => {
      scrollAt(at.current.x, at.current.y);
      look();
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
      document.documentElement.removeAttribute('data-carrying');
      end.current = null;
      setCarried(null);
      setTarget(null);
    };
    const drop = (event: PointerEvent) => {
      if (event.pointerId !== pointer.pointerId) return;
      move(event);
      look();
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
    document.documentElement.setAttribute('data-carrying', '');
    end.current = finish;
    at.current = { x: pointer.clientX, y: pointer.clientY };
    setCarried(what);
    frame = requestAnimationFrame(follow);
  };

  return { carried, target, start, ghost };
};
