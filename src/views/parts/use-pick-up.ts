import { type PointerEvent as ReactPointerEvent, useEffect, useRef } from 'react';
import type { Pointer } from './use-carry.ts';

/** CSS pixels that a mouse or a finger moves before it carries; where a strip scrolls, a finger must go upwards. */
const mouseSlop = 4;
const fingerSlop = 12;
/** A finger that rests this long picks up. */
const longPressMs = 350;

const isLonger = (strip: Element) => strip.scrollWidth > strip.clientWidth + 1;

/** Handlers for something that is carried away by dragging it: at once with the mouse or a pen; with a finger by a long press too. */
export const usePickUp = (onPickUp: (pointer: Pointer) => void) => {
  const held = useRef<(() => void) | null>(null);
  useEffect(() => () => held.current?.(), []);
  const onPointerDown = (down: ReactPointerEvent<HTMLElement>) => {
    if (down.button !== 0 || !down.isPrimary) return;
    held.current?.();
    const { pointerId, clientX, clientY } = down;
    const touch = down.pointerType === 'touch';
    const strip = down.currentTarget.closest('[data-strip]');
    const scrolls = touch && strip !== null && isLonger(strip);
    let at = { x: clientX, y: clientY };
    const release = () => {
      clearTimeout(timer);
      window.removeEventListener('pointermove', move, true);
      window.removeEventListener('pointerup', leave, true);
      window.removeEventListener('pointercancel', leave, true);
      held.current = null;
    };
    const pickUp = () => {
      release();
      onPickUp({ pointerId, clientX: at.x, clientY: at.y });
    };
    const move = (event: PointerEvent) => {
      if (event.pointerId !== pointerId) return;
      at = { x: event.clientX, y: event.clientY };
      const [x, y] = [Math.abs(at.x - clientX), at.y - clientY];
      const slop = touch ? fingerSlop : mouseSlop;
      if (scrolls ? -y > slop && -y > x : Math.hypot(x, y) > slop) pickUp();
      else if (scrolls && x > slop) release();
    };
    const leave = (event: PointerEvent) => {
      if (event.pointerId === pointerId) release();
    };
    const timer = touch ? setTimeout(pickUp, longPressMs) : undefined;
    window.addEventListener('pointermove', move, true);
    window.addEventListener('pointerup', leave, true);
    window.addEventListener('pointercancel', leave, true);
    held.current = release;
  };
  return { onPointerDown };
};

/**
 * A finger scrolls the strip only where there is more of it than fits, and scrolls nothing while something is carried. Chromium asks for the
 * listener, and for `touch-action`, to be there before the touch begins.
 */
export const useStripUnderFingers = (element: HTMLElement | null, images: number): void => {
  useEffect(() => {
    if (!element || images === 0) return;
    const allow = () => {
      element.style.touchAction = isLonger(element) ? 'pan-x' : 'none';
      // At an end only the way back: a finger that goes on past it would leave the page for the one before. Not every browser knows these
      // two words; one that does not keeps the line above.
      if (isLonger(element) && element.scrollLeft <= 0) element.style.touchAction = 'pan-right';
      else if (isLonger(element) && element.scrollLeft >= element.scrollWidth - element.clientWidth - 1)
        element.style.touchAction = 'pan-left';
    };
    const observer = new ResizeObserver(allow);
    observer.observe(element);
    element.addEventListener('scroll', allow, { passive: true });
    allow();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', allow);
    };
  }, [element, images]);
  useEffect(() => {
    if (!element) return;
    const still = (event: TouchEvent) => {
      if (document.documentElement.hasAttribute('data-carrying')) event.preventDefault();
    };
    element.addEventListener('touchmove', still, { passive: false });
    return () => element.removeEventListener('touchmove', still);
  }, [element]);
};
