import { type PointerEvent as ReactPointerEvent, useEffect, useRef } from 'react';
import type { Pointer } from './use-carry.ts';

/** CSS pixels that a mouse moves before it carries; a finger moves this far upwards, for sideways it scrolls the strip. */
const mouseSlop = 4;
const fingerSlop = 12;
/** A finger that rests this long picks up. */
const longPressMs = 350;

/** Handlers for something that is carried away by dragging it: at once with the mouse or a pen, by a long press or upwards with a finger. */
export const usePickUp = (onPickUp: (pointer: Pointer) => void) => {
  const held = useRef<(() => void) | null>(null);
  useEffect(() => () => held.current?.(), []);
  const onPointerDown = (down: ReactPointerEvent<HTMLElement>) => {
    if (down.button !== 0 || !down.isPrimary) return;
    held.current?.();
    const { pointerId, clientX, clientY } = down;
    const touch = down.pointerType === 'touch';
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
      if (touch ? -y > fingerSlop && -y > x : Math.hypot(x, y) > mouseSlop) pickUp();
      else if (touch && x > fingerSlop) release();
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

/** While something is carried, a finger scrolls nothing. Chromium asks for such a listener to be there before the touch begins. */
export const useStillWhileCarrying = (element: HTMLElement | null): void => {
  useEffect(() => {
    if (!element) return;
    const still = (event: TouchEvent) => {
      if (document.documentElement.hasAttribute('data-carrying')) event.preventDefault();
    };
    element.addEventListener('touchmove', still, { passive: false });
    return () => element.removeEventListener('touchmove', still);
  }, [element]);
};
